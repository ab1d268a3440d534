import { Textarea } from '@mantine/core';
import type { FieldProps } from '@rjsf/utils';
import type { ReactElement } from 'react';
import { labelsOf } from './labels.js';

/** A list of texts, one per line. */
export function LinesField(props: FieldProps): ReactElement {
  const formData: unknown = props.formData;
  const { fieldPathId, onChange } = props;
  return (
    <Textarea
      {...labelsOf(props, 'One per line.')}
      autosize
      minRows={2}
      maxRows={14}
      value={(formData as readonly string[] | undefined)?.join('\n') ?? ''}
      onChange={(event) => {
        const { value } = event.currentTarget;
        onChange(value === '' ? undefined : value.split('\n'), fieldPathId.path);
      }}
    />
  );
}
