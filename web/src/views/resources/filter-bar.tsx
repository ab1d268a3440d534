import { Button, NativeSelect } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { usePipelines } from '../../api/pipelines.js';
import type { ResourceFilter } from '../../api/resources.js';
import { looks, resourceStatuses } from '../../parts/status.js';
import type { FilterName } from './filter.js';
import { SearchField } from './search-field.js';
import classes from './filter-bar.module.css';

interface FilterBarProps {
  readonly filter: ResourceFilter;
  readonly isFiltered: boolean;
  readonly onChange: (changes: Partial<Record<FilterName, string>>) => void;
  readonly onClear: () => void;
}

const statusOptions = [
  { value: '', label: 'Any status' },
  ...resourceStatuses.map((status) => ({ value: status, label: looks[status].label })),
];
const sourceOptions = [
  { value: '', label: 'Files and URLs' },
  { value: 'UPLOAD', label: 'Files' },
  { value: 'URL', label: 'URLs' },
];
const enabledOptions = [
  { value: '', label: 'Enabled or not' },
  { value: 'true', label: 'Enabled' },
  { value: 'false', label: 'Disabled' },
];

export function FilterBar({ filter, isFiltered, onChange, onClear }: FilterBarProps): ReactElement {
  const { data: pipelines = [] } = usePipelines();
  const types = new Set(pipelines.map(({ trigger_type }) => trigger_type).sort());
  if (filter.type !== undefined) types.add(filter.type);
  const selects = [
    { name: 'status', label: 'Status', options: statusOptions },
    { name: 'type', label: 'Type', options: [{ value: '', label: 'Any type' }, ...types] },
    { name: 'source_type', label: 'Source', options: sourceOptions },
    { name: 'is_enabled', label: 'Enabled', options: enabledOptions },
  ] as const;
  return (
    <search className={classes.bar}>
      <div className={classes.field}>
        <SearchField value={filter.q ?? ''} onChange={(q) => onChange({ q })} />
      </div>
      {selects.map(({ name, label, options }) => (
        <NativeSelect
          key={name}
          aria-label={label}
          data={[...options]}
          value={filter[name] ?? ''}
          onChange={(event) => onChange({ [name]: event.currentTarget.value })}
          className={classes.select ?? ''}
          data-set={filter[name] !== undefined || undefined}
        />
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
    </search>
  );
}
