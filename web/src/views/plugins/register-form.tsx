import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { useState, type ReactElement, type SubmitEvent } from 'react';
import { useRegisterPlugin } from '../../api/plugins.js';
import type { NewPlugin, RegisteredPlugin } from '@knowledge-warehouse/client';
import { listValidationErrors } from '../../parts/messages/explain.js';
import { Problem } from '../../parts/messages/problem.js';
import { useUnsaved } from '../../parts/actions/unsaved.js';

interface RegisterFormProps {
  readonly onRegistered: (plugin: RegisteredPlugin) => void;
  readonly onCancel: () => void;
}

const fields = [
  {
    name: 'id',
    label: 'Id',
    placeholder: 'ocr',
    description: 'Pipelines refer to the plugin by this id. It cannot be changed.',
    required: true,
  },
  { name: 'name', label: 'Name', placeholder: 'OCR', description: 'The display name.', required: true },
  {
    name: 'endpoint',
    label: 'Endpoint',
    placeholder: 'https://ocr.example.com/steps',
    description: 'Core posts the plugin’s steps to this URL.',
    required: true,
  },
  { name: 'version', label: 'Version', placeholder: '1.0.0', description: null, required: false },
] as const;

type FieldName = (typeof fields)[number]['name'] | 'description';

export function RegisterForm({ onRegistered, onCancel }: RegisterFormProps): ReactElement {
  const register = useRegisterPlugin();
  const [values, setValues] = useState<Readonly<Record<FieldName, string>>>({
    id: '',
    name: '',
    endpoint: '',
    version: '',
    description: '',
  });
  useUnsaved(!register.isSuccess && Object.values(values).some((value) => value !== ''));
  const set = (name: FieldName, value: string): void => setValues({ ...values, [name]: value });
  const errors = register.error === null ? [] : listValidationErrors(register.error);
  const errorOf = (name: FieldName): string | undefined =>
    errors.find(({ path }) => path === `/${name}`)?.message;

  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const filled = Object.entries(values).filter(([, value]) => value.trim() !== '');
    const body = { ...Object.fromEntries(filled), kind: 'http' } as NewPlugin;
    register.mutate(body, { onSuccess: onRegistered });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {fields.map(({ name, label, placeholder, description, required }) => (
          <TextInput
            key={name}
            label={label}
            placeholder={placeholder}
            description={description}
            required={required}
            withAsterisk={false}
            value={values[name]}
            onChange={(event) => set(name, event.currentTarget.value)}
            error={errorOf(name)}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            spellCheck={name === 'name'}
            {...(name === 'id' && { 'data-autofocus': true })}
          />
        ))}
        <Textarea
          label="Description"
          autosize
          minRows={2}
          value={values.description}
          onChange={(event) => set('description', event.currentTarget.value)}
          error={errorOf('description')}
        />
        <Problem error={register.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={register.isPending}>
            Register
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
