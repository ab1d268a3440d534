import { NativeSelect } from '@mantine/core';
import CheckboxesWidget from '@rjsf/mantine/lib/widgets/CheckboxesWidget.js';
import type { WidgetProps } from '@rjsf/utils';
import type { ReactElement } from 'react';
import { placeholderOf } from './labels.js';

/** Chooses one of several values, including yes and no; unset until one is chosen. */
export function ChoiceInput(props: WidgetProps): ReactElement {
  const { id, schema, label, hideLabel, required, rawErrors = [], options, multiple, onChange } = props;
  const value: unknown = props.value;
  // GroupErrors shows the error of a list.
  if (multiple === true) return <CheckboxesWidget {...props} rawErrors={[]} />;
  const choices = options.enumOptions ?? [];
  const usual = placeholderOf(schema);
  const usualLabel = choices.find((choice) => choice.value === schema.default)?.label ?? usual;
  // A choice between schemas always has a value.
  const isOfSchemas = /__(any|one)of_select$/.test(id);
  const at = choices.findIndex((choice) => choice.value === value);
  return (
    <NativeSelect
      id={id}
      label={hideLabel === true ? undefined : label}
      aria-label={hideLabel === true ? label : undefined}
      description={schema.description}
      withAsterisk={required === true}
      error={rawErrors[0]}
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
