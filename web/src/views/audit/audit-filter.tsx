import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import { useKeys } from '../../api/keys.js';
import { maxDay } from '../resources/days.js';
import type { AuditAddress, FilterName } from './address.js';
import classes from './audit-view.module.css';

/** Filters the log by key, action, object and time. */
export function AuditFilter({ filter, change }: Pick<AuditAddress, 'filter' | 'change'>): ReactElement {
  const keys = useKeys();
  const { key = '' } = filter;
  const known = (keys.data ?? []).map(({ id, name, prefix }) => ({
    value: id,
    label: `${name} (${prefix}…)`,
  }));
  const isUnknown = key !== '' && !known.some(({ value }) => value === key);
  return (
    <div className={classes.filter} role="group" aria-label="Filters">
      <NativeSelect
        label="Key"
        data={[
          { value: '', label: 'Every key' },
          ...known,
          ...(isUnknown ? [{ value: key, label: key }] : []),
        ]}
        value={key}
        onChange={(event) => change({ key: event.currentTarget.value })}
      />
      {/* The key resets the field when the URL changes otherwise, such as by going back. */}
      <TypedFilter
        key={`action ${filter.action}`}
        name="action"
        label="Action"
        placeholder="deleteResource"
        {...{ filter, change }}
      />
      <TypedFilter
        key={`object ${filter.object}`}
        name="object"
        label="Object"
        placeholder="Its id"
        {...{ filter, change }}
      />
      <TextInput
        type="date"
        max={maxDay}
        label="Since"
        value={filter.since ?? ''}
        onChange={(event) => change({ since: event.currentTarget.value })}
      />
      {Object.keys(filter).length > 0 && (
        <Button variant="default" onClick={() => change({ key: '', action: '', object: '', since: '' })}>
          Clear filters
        </Button>
      )}
    </div>
  );
}

interface TypedFilterProps extends Pick<AuditAddress, 'filter' | 'change'> {
  readonly name: Extract<FilterName, 'action' | 'object'>;
  readonly label: string;
  readonly placeholder: string;
}

/** A filter that applies on Enter or when the field loses focus. */
function TypedFilter({ name, label, placeholder, filter, change }: TypedFilterProps): ReactElement {
  const set = filter[name] ?? '';
  const [text, setText] = useState(set);
  const apply = (): void => {
    if (text.trim() !== set) change({ [name]: text.trim() });
  };
  return (
    <TextInput
      label={label}
      placeholder={placeholder}
      spellCheck={false}
      autoComplete="off"
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={apply}
      onKeyDown={(event) => {
        if (event.key === 'Enter') apply();
      }}
    />
  );
}
