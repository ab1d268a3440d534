import { Button, CloseButton, NativeSelect } from '@mantine/core';
import { IconAdjustmentsHorizontal, IconFilterOff } from '@tabler/icons-react';
import { memo, Suspense, useState, type ReactElement } from 'react';
import { usePipelines } from '../../api/pipelines.js';
import { lazyPart } from '../../parts/lazy-part.js';
import { looks, resourceStatuses } from '../../parts/status/status.js';
import { onlyValue, type Changes, type Filter } from './filter.js';
import { labelOf, shownAs, sourceOptions } from './filter-labels.js';
import { SearchField } from './search-field.js';
import classes from './filter-bar.module.css';

const MoreFilters = lazyPart(() => import('./more-filters.js'));

interface FilterBarProps {
  readonly filter: Filter;
  readonly isFiltered: boolean;
  readonly onChange: (changes: Changes) => void;
  readonly onClear: () => void;
}

const waiting = 'WAITING';
const statusOptions = [
  { value: '', label: 'Any status' },
  ...resourceStatuses.map((status) => ({ value: status, label: looks[status].label })),
  { value: waiting, label: 'Waiting' },
];
const enabledOptions = [
  { value: '', label: 'Enabled or not' },
  { value: 'true', label: 'Enabled' },
  { value: 'false', label: 'Disabled' },
];

const fields: readonly string[] = ['q', 'status', 'type', 'source_type', 'is_enabled'];

/** Waiting is a separate filter, but users look for it among the statuses. */
const valueOf = (filter: Filter, name: string): string =>
  name === 'status' && onlyValue(filter, 'waiting') === 'true' ? waiting : onlyValue(filter, name);
/** Whether a field here shows a filter. The others in the URL are shown as chips. */
const isInField = (filter: Filter, name: string): boolean =>
  name === 'waiting'
    ? onlyValue(filter, name) === 'true'
    : fields.includes(name) &&
      filter[name]?.length === 1 &&
      valueOf(filter, name) === onlyValue(filter, name);
const changeOf = (name: string, value: string): Changes =>
  name === 'status'
    ? { status: value === waiting ? '' : value, waiting: value === waiting ? 'true' : '' }
    : { [name]: value };

/** Does not rerender when the selection changes. */
export const FilterBar = memo(function FilterBar(props: FilterBarProps): ReactElement {
  const { filter, isFiltered, onChange, onClear } = props;
  const { data: pipelines = [] } = usePipelines();
  const [isMore, setIsMore] = useState(false);
  const types = new Set(pipelines.map(({ trigger_type }) => trigger_type).sort());
  for (const type of filter['type'] ?? []) types.add(type);
  const others = Object.entries(filter).filter(([name]) => !isInField(filter, name));
  const selects = [
    { name: 'status', label: 'Status', options: statusOptions },
    { name: 'type', label: 'Type', options: [{ value: '', label: 'Any type' }, ...types] },
    { name: 'source_type', label: 'Source', options: sourceOptions },
    { name: 'is_enabled', label: 'Enabled', options: enabledOptions },
  ] as const;
  return (
    <search className={classes.bar}>
      <div className={classes.field}>
        <SearchField value={onlyValue(filter, 'q')} onChange={(q) => onChange({ q })} />
      </div>
      {selects.map(({ name, label, options }) => (
        <NativeSelect
          key={name}
          aria-label={label}
          data={[...options]}
          value={valueOf(filter, name)}
          onChange={(event) => onChange(changeOf(name, event.currentTarget.value))}
          className={classes.select ?? ''}
          data-set={valueOf(filter, name) !== '' || undefined}
        />
      ))}
      <Button
        variant="default"
        leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
        aria-expanded={isMore}
        onClick={() => setIsMore(!isMore)}
      >
        More filters
      </Button>
      {others.map(([name, values]) => (
        <span key={name} className={classes.chip} dir="auto">
          {labelOf(name)}: {values.map((value) => shownAs(name, value)).join(' or ')}
          <CloseButton
            size="xs"
            aria-label={`Remove the filter ${name}`}
            onClick={() => onChange({ [name]: '' })}
          />
        </span>
      ))}
      {isFiltered && (
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconFilterOff size={16} aria-hidden />}
          onClick={onClear}
        >
          Clear
        </Button>
      )}
      {isMore && (
        <Suspense>
          <MoreFilters filter={filter} onChange={onChange} />
        </Suspense>
      )}
    </search>
  );
});
