import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState, type ReactElement, type SubmitEvent } from 'react';
import { useFailures } from '../../api/operations.js';
import { usePlugins } from '../../api/plugins.js';
import { metadataKey } from '../../parts/metadata/metadata-key.js';
import { dayAfter, dayBefore, dayOf, maxDay, startOfDay } from './days.js';
import { onlyValue, type Changes, type Filter, type FilterName } from './filter.js';
import classes from './filter-bar.module.css';

interface MoreFiltersProps {
  readonly filter: Filter;
  readonly onChange: (changes: Changes) => void;
}

/** Less common filters: by failure, date and metadata. */
export default function MoreFilters({ filter, onChange }: MoreFiltersProps): ReactElement {
  const { data: failures = [] } = useFailures();
  const { data: plugins = [] } = usePlugins();
  const codes = failures.map(({ error_code }) => error_code);
  return (
    <div className={classes.more} role="group" aria-label="More filters">
      <Choice name="error_code" label="Error" any="Any error" known={codes} {...{ filter, onChange }} />
      <Choice
        name="failed_plugin"
        label="Failed at"
        any="Any plugin"
        known={plugins.map(({ id }) => id)}
        {...{ filter, onChange }}
      />
      <Day name="created_after" label="Added from" {...{ filter, onChange }} />
      <Day name="created_before" label="Added up to" isLast {...{ filter, onChange }} />
      <Day name="updated_after" label="Changed from" {...{ filter, onChange }} />
      <Day name="updated_before" label="Changed up to" isLast {...{ filter, onChange }} />
      <MetadataFilter onChange={onChange} />
    </div>
  );
}

interface ChoiceProps extends MoreFiltersProps {
  readonly name: FilterName;
  readonly label: string;
  readonly any: string;
  readonly known: readonly string[];
}

function Choice({ name, label, any, known, filter, onChange }: ChoiceProps): ReactElement {
  const value = onlyValue(filter, name);
  const options = new Set([...known, ...(value === '' ? [] : [value])].toSorted());
  return (
    <NativeSelect
      size="xs"
      label={label}
      data={[{ value: '', label: any }, ...options]}
      value={value}
      onChange={(event) => onChange({ [name]: event.currentTarget.value })}
    />
  );
}

interface DayProps extends MoreFiltersProps {
  readonly name: FilterName;
  readonly label: string;
  /** The day itself is included, although the API excludes the end of a period. */
  readonly isLast?: boolean;
}

function Day({ name, label, isLast = false, filter, onChange }: DayProps): ReactElement {
  const day = dayOf(onlyValue(filter, name));
  // While the year 2026 is typed, the browser reports the years 2, 20 and 202.
  const [unfinished, setUnfinished] = useState<string | null>(null);
  const change = (chosen: string): void => {
    const isUnfinished = chosen.startsWith('0');
    setUnfinished(isUnfinished ? chosen : null);
    if (isUnfinished) return;
    onChange({ [name]: chosen === '' ? '' : startOfDay(isLast ? dayAfter(chosen) : chosen) });
  };
  return (
    <TextInput
      size="xs"
      type="date"
      max={maxDay}
      label={label}
      value={unfinished ?? (isLast && day !== '' ? dayBefore(day) : day)}
      onChange={(event) => change(event.currentTarget.value)}
      onBlur={() => setUnfinished(null)}
    />
  );
}

/** Adds one condition: a key and its value. */
function MetadataFilter({ onChange }: Pick<MoreFiltersProps, 'onChange'>): ReactElement {
  const [key, setKey] = useState('');
  const [value, setValue] = useState('');
  const isKey = metadataKey.test(key);
  const add = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!isKey || value === '') return;
    onChange({ [`metadata.${key}`]: value });
    setKey('');
    setValue('');
  };
  return (
    <form className={classes.metadata} onSubmit={add} aria-label="Filter by metadata">
      <TextInput
        size="xs"
        label="Metadata key"
        spellCheck={false}
        autoComplete="off"
        value={key}
        error={key === '' || isKey ? null : 'Letters, digits, “_”, “.” and “-” only'}
        onChange={(event) => setKey(event.currentTarget.value)}
      />
      <TextInput
        size="xs"
        label="Value"
        autoComplete="off"
        value={value}
        onChange={(event) => setValue(event.currentTarget.value)}
      />
      <Button size="xs" variant="default" type="submit" disabled={!isKey || value === ''}>
        Add
      </Button>
    </form>
  );
}
