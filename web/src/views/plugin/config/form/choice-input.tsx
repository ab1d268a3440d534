import { NativeSelect } from '@mantine/core';
import CheckboxesWidget from '@rjsf/mantine/lib/widgets/CheckboxesWidget.js';
import type { WidgetProps } from '@rjsf/utils';
import type { ReactElement } from 'react';
import { usualOf } from './labels.js';

/** One of several values, yes or no among them; unset unless one is chosen. */
export function ChoiceInput(props: WidgetProps): ReactElement {
  const { id, schema, label, hideLabel, required, rawErrors = [], options, multiple, onChange } = props;
  const value: unknown = props.value;
  if (multiple === true) return <CheckboxesWidget {...props} />;
  const choices = options.enumOptions ?? [];
  const usual = usualOf(schema);
  const usualLabel = choices.find((choice) => choice.value === schema.default)?.label ?? usual;
  // Which of several schemas applies is always one of them.
  const isOfSchemas = /__(any|one)of_select$/.test(id);
  const at = choices.findIndex((choice) => choice.value === value);
  return (
    <NativeSelect
      id={id}
      label={hideLabel === true ? undefined : label}
      aria-label={hideLabel === true ? label : undefined}
      description={schema.description}
      withAsterisk={required === true}
      error={rawErrors.length === 0 ? null : rawErrors.join(' ')}
      data={[
        ...(isOfSchemas
          ? []
          : [{ value: '', label: usual === undefined ? 'Not set' : `Not set: ${usualLabel}` }]),
        ...choices.map((choice, index) => ({ value: String(index), label: choice.label })),
      ]}
      value={at === -1 ? '' : String(at)}
      onChange={({ currentTarget }) => {
        const chosen = currentTarget.value;
        onChange(chosen === '' ? undefined : choices[Number(chosen)]?.value);
      }}
    />
  );
}
