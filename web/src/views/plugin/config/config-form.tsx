import type { ReactElement } from 'react';
import type { JsonObject } from '../../../api/client.js';
import { ConfigField } from './config-field.js';
import { isObject, setMember, type Field } from './schema-fields.js';
import classes from './config-editor.module.css';

interface ConfigFormProps {
  readonly fields: readonly Field[];
  readonly config: JsonObject;
  readonly isReadOnly: boolean;
  readonly onChange: (config: JsonObject) => void;
}

/** A control for each member that the plugin declares. What else is in the config stays in it. */
export function ConfigForm({ fields, config, isReadOnly, onChange }: ConfigFormProps): ReactElement {
  const others = Object.keys(config).filter((name) => !fields.some((field) => field.name === name));
  return (
    <>
      <div className={classes.fields}>
        {fields.map((field) => {
          const value = config[field.name];
          const set = (next: unknown): void => onChange(setMember(config, field.name, next));
          if (field.kind === 'group' && (value === undefined || isObject(value))) {
            return (
              <fieldset key={field.name} className={classes.group}>
                <legend>{field.label}</legend>
                <ConfigForm
                  fields={field.fields ?? []}
                  config={value ?? {}}
                  isReadOnly={isReadOnly}
                  onChange={(next) => set(Object.keys(next).length === 0 ? undefined : next)}
                />
              </fieldset>
            );
          }
          return (
            <ConfigField
              key={field.name}
              field={field}
              value={value}
              isReadOnly={isReadOnly}
              onChange={set}
            />
          );
        })}
      </div>
      {others.length > 0 && (
        <p className={`dim small ${classes.others ?? ''}`}>
          Also set, and to be changed as JSON: {others.join(', ')}.
        </p>
      )}
    </>
  );
}
