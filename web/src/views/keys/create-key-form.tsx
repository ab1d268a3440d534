import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useState, type ReactElement, type SubmitEvent } from 'react';
import type { CreatedApiKey } from '@knowledge-warehouse/client';
import { useCreateKey } from '../../api/keys.js';
import { usePlugins } from '../../api/plugins.js';
import { Problem } from '../../parts/messages/problem.js';
import { useUnsaved } from '../../parts/actions/unsaved.js';
import { endOfDay, maxDay } from '../resources/days.js';

interface CreateKeyFormProps {
  readonly onCreated: (key: CreatedApiKey) => void;
  readonly onCancel: () => void;
}

const accesses = [
  { value: 'read', label: 'Read everything' },
  { value: 'write', label: 'Read and edit resources' },
  { value: 'admin', label: 'Full access, including pipelines, plugins and keys' },
  { value: '', label: 'Plugin work only' },
];

export function CreateKeyForm({ onCreated, onCancel }: CreateKeyFormProps): ReactElement {
  const create = useCreateKey();
  const plugins = usePlugins();
  const [name, setName] = useState('');
  const [access, setAccess] = useState('read');
  const [plugin, setPlugin] = useState('');
  const [lastDay, setLastDay] = useState('');
  const scopes = [access, plugin === '' ? '' : `plugin:${plugin}`].filter((scope) => scope !== '');

  const isFilled = name !== '' || access !== 'read' || plugin !== '' || lastDay !== '';
  useUnsaved(isFilled && !create.isSuccess);

  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    create.mutate(
      { name: name.trim(), scopes, expires_at: lastDay === '' ? null : endOfDay(lastDay) },
      { onSuccess: onCreated },
    );
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="Name"
          placeholder="Importer"
          description="What the key is for."
          dir="auto"
          maxLength={200}
          required
          withAsterisk={false}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <NativeSelect
          label="Access"
          data={accesses}
          value={access}
          onChange={(event) => setAccess(event.currentTarget.value)}
        />
        <NativeSelect
          label="Worker of a plugin"
          description="Also allows the calls of this plugin’s worker."
          required={access === ''}
          withAsterisk={false}
          data={[
            { value: '', label: 'None' },
            ...(plugins.data ?? []).map(({ id, name: label }) => ({ value: id, label })),
          ]}
          value={plugin}
          onChange={(event) => setPlugin(event.currentTarget.value)}
        />
        <TextInput
          type="date"
          label="Last day"
          max={maxDay}
          description="Without one, the key works until it is revoked."
          value={lastDay}
          onChange={(event) => setLastDay(event.currentTarget.value)}
        />
        <Problem error={create.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" disabled={create.isPending} onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Create
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
