import { CloseButton, NativeSelect, SegmentedControl } from '@mantine/core';
import type { ReactElement } from 'react';
import { usePipelines } from '../../api/pipelines.js';
import { labelOf, shownAs, sourceOptions } from '../resources/filter-labels.js';
import type { Filter, SearchMode, SearchQuery } from './search-query.js';
import classes from './search-tools.module.css';

interface SearchToolsProps {
  readonly query: SearchQuery;
  readonly onMode: (mode: SearchMode) => void;
  readonly onAdd: (filter: Filter) => void;
  readonly onRemove: (filter: Filter) => void;
}

const modes = [
  { value: 'text', label: 'Words' },
  { value: 'hybrid', label: 'Words and meaning' },
  { value: 'vector', label: 'Meaning' },
] as const;

/** The search mode, and the filters as removable chips. */
export function SearchTools({ query, onMode, onAdd, onRemove }: SearchToolsProps): ReactElement {
  const { data: pipelines = [] } = usePipelines();
  const types = [...new Set(pipelines.map(({ trigger_type }) => trigger_type))].sort();
  return (
    <div className={classes.tools}>
      <SegmentedControl
        size="xs"
        aria-label="Search by"
        value={query.mode}
        onChange={(mode) => onMode(mode)}
        data={[...modes]}
      />
      <NativeSelect
        size="xs"
        aria-label="Only the type"
        className={classes.select ?? ''}
        data={[{ value: '', label: 'Any type' }, ...types]}
        value=""
        onChange={(event) => onAdd(['type', event.currentTarget.value])}
      />
      <NativeSelect
        size="xs"
        aria-label="Only the source"
        data={sourceOptions}
        value=""
        onChange={(event) => onAdd(['source_type', event.currentTarget.value])}
      />
      {query.filters.length > 0 && (
        <ul className={classes.chips} aria-label="Filters">
          {query.filters.map((filter) => (
            <li key={filter.join('=')} className={classes.chip}>
              <span dir="auto">{describe(filter)}</span>
              <CloseButton
                size="xs"
                aria-label={`Remove the filter ${describe(filter)}`}
                onClick={() => onRemove(filter)}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function describe([name, value]: Filter): string {
  if (name === 'type') return `Type: ${value}`;
  if (name === 'source_type') return sourceOptions.find((known) => known.value === value)?.label ?? value;
  return `${labelOf(name)}: ${shownAs(name, value)}`;
}
