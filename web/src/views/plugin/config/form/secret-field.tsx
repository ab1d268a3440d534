import { ActionIcon, Button, TextInput, type TextInputProps } from '@mantine/core';
import type { FieldProps } from '@rjsf/utils';
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { useState, type ReactElement } from 'react';
import classes from '../config-editor.module.css';
import type { ConfigFormContext } from './form-context.js';
import { labelsOf } from './labels.js';

/** A secret. The stored value is never shown, and kept until the user enters another. */
export function SecretField(props: FieldProps): ReactElement {
  const formData: unknown = props.formData;
  const { fieldPathId, schema, onChange, registry } = props;
  const { isKept, markAt } = registry.formContext as ConfigFormContext;
  const set = (value: unknown): void => onChange(value, fieldPathId.path);
  const stored = markAt(fieldPathId.path);
  const isText = schema.type === 'string' || schema.type === undefined;
  const kept = isKept(formData);
  const hint = kept
    ? isText
      ? 'A secret is stored. It is kept unless you type a new one.'
      : 'A secret is stored. It is kept unless you replace it as JSON.'
    : stored !== undefined && formData === undefined
      ? 'The stored secret is removed when you save.'
      : '';
  const labels = labelsOf(props, hint);
  return (
    <div className={classes.secretField}>
      <SecretInput
        {...labels}
        placeholder={kept ? '••••••••' : labels.placeholder}
        readOnly={!isText}
        autoComplete="off"
        spellCheck={false}
        value={kept || typeof formData !== 'string' ? '' : formData}
        onChange={(event) => set(event.currentTarget.value === '' ? stored : event.currentTarget.value)}
      />
      {formData !== undefined && (
        <Button variant="subtle" size="compact-xs" onClick={() => set(undefined)}>
          Remove the secret
        </Button>
      )}
      {formData === undefined && stored !== undefined && (
        <Button variant="subtle" size="compact-xs" onClick={() => set(stored)}>
          Keep the stored secret
        </Button>
      )}
    </div>
  );
}

/** An input for a plugin's secret. It is not the visitor's password, so password managers must ignore it. */
function SecretInput(props: TextInputProps): ReactElement {
  const [isShown, setIsShown] = useState(false);
  return (
    <TextInput
      {...props}
      className={isShown ? undefined : classes.secret}
      rightSection={
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={isShown ? 'Hide the secret' : 'Show the secret'}
          aria-pressed={isShown}
          onClick={() => setIsShown(!isShown)}
        >
          {isShown ? <IconEyeOff size={16} aria-hidden /> : <IconEye size={16} aria-hidden />}
        </ActionIcon>
      }
    />
  );
}
