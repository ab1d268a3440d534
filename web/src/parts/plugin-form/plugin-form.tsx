import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { useState, type ReactElement, type ReactNode, type SubmitEvent } from 'react';
import { isApiError } from '../../api/client.js';
import { useUnsaved } from '../actions/unsaved.js';
import { Problem } from '../messages/problem.js';

const fields = {
  id: {
    label: 'Id',
    placeholder: 'ocr',
    description: 'Pipelines refer to the plugin by this id. It cannot be changed.',
    required: true,
  },
  name: { label: 'Name', placeholder: 'OCR', description: 'The display name.', required: true },
  endpoint: {
    label: 'Endpoint',
    placeholder: 'https://ocr.example.com/steps',
    description: 'Core posts the plugin’s steps to this URL.',
    required: true,
  },
  task_queue: {
    label: 'Task queue',
    placeholder: 'ocr',
    description: 'The task queue that its workers poll.',
    required: true,
  },
  activity_type: {
    label: 'Activity type',
    placeholder: 'recogniseText',
    description: 'The activity that its workers run for a step.',
    required: true,
  },
  version: { label: 'Version', placeholder: '1.0.0', description: null, required: false },
} as const;

export type PluginField = keyof typeof fields;
export type PluginValues = Readonly<Partial<Record<PluginField | 'description', string>>>;

interface PluginFormProps {
  /** The fields before the description, in order. */
  readonly shown: readonly PluginField[];
  readonly initial: PluginValues;
  readonly action: string;
  /** The state of the request that saves it. */
  readonly save: { readonly error: Error | null; readonly isPending: boolean; readonly isSuccess: boolean };
  readonly onSubmit: (values: PluginValues) => void;
  readonly onCancel: () => void;
  /** Fields after the description; `errorOf` returns the API's error at a property. */
  readonly more?: (errorOf: (name: string) => string | undefined) => ReactNode;
  /** Actions that resolve a refusal. */
  readonly remedy?: (values: PluginValues) => ReactNode;
  /** Shown above the fields. */
  readonly children?: ReactNode;
}

/** The fields that describe a plugin. Errors of the API appear at their field. */
export function PluginForm(props: PluginFormProps): ReactElement {
  const { shown, initial, action, save, onSubmit, onCancel, more, remedy, children } = props;
  const [values, setValues] = useState(initial);
  const names = [...shown, 'description' as const];
  useUnsaved(!save.isSuccess && names.some((name) => (values[name] ?? '') !== (initial[name] ?? '')));
  const set = (name: PluginField | 'description', value: string): void =>
    setValues({ ...values, [name]: value });
  const errors = isApiError(save.error) ? save.error.findings : [];
  const errorOf = (name: string): string | undefined =>
    name === 'endpoint' && isApiError(save.error, 'URL_NOT_ALLOWED')
      ? save.error.message
      : errors.find(({ path }) => path === `/${name}` || path.startsWith(`/${name}/`))?.message;

  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    onSubmit(values);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {children}
        {shown.map((name, index) => (
          <TextInput
            key={name}
            {...fields[name]}
            withAsterisk={false}
            value={values[name] ?? ''}
            onChange={(event) => set(name, event.currentTarget.value)}
            error={errorOf(name)}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            spellCheck={name === 'name'}
            {...(index === 0 && { 'data-autofocus': true })}
          />
        ))}
        <Textarea
          label="Description"
          autosize
          minRows={2}
          value={values.description ?? ''}
          onChange={(event) => set('description', event.currentTarget.value)}
          error={errorOf('description')}
        />
        {more?.(errorOf)}
        <Problem error={save.error}>{remedy?.(values)}</Problem>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" disabled={save.isPending} onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
