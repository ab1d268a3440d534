import { Textarea } from '@mantine/core';
import type { FieldProps } from '@rjsf/utils';
import type { ReactElement } from 'react';
import type { ConfigFormContext } from './form-context.js';
import { labelsOf } from './labels.js';
import { useTyped } from './use-typed.js';

const lines = {
  write: (value: readonly string[] | undefined): string => value?.join('\n') ?? '',
  read: (text: string): readonly string[] | undefined => {
    const items = text.split('\n').map((line) => line.trim());
    return text.trim() === '' ? undefined : items.filter((item) => item !== '');
  },
};

/** A list of texts, one per line. */
export function LinesField(props: FieldProps): ReactElement {
  const formData: unknown = props.formData;
  const { fieldPathId, onChange, registry } = props;
  const labels = labelsOf(props, 'One per line.');
  const { text, edit } = useTyped(
    labels.id,
    formData as readonly string[] | undefined,
    lines,
    (value) => onChange(value, fieldPathId.path),
    registry.formContext as ConfigFormContext,
  );
  return (
    <Textarea
      {...labels}
      autosize
      minRows={2}
      maxRows={14}
      value={text}
      onChange={(event) => edit(event.currentTarget.value)}
    />
  );
}
