import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useState, type ReactElement, type SubmitEvent } from 'react';
import { useCreateKey } from '../../api/keys.js';
import { usePlugins } from '../../api/plugins.js';
import { Dialog } from '../../parts/actions/dialog.js';
import { useUnsaved } from '../../parts/actions/unsaved.js';
import { Problem } from '../../parts/messages/problem.js';
import { SecretNote } from '../../parts/messages/secret-note.js';
import { endOfDay, maxDay } from '../resources/days.js';

/** Creates a key, and shows its secret once. */
export function CreateKeyDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const create = useCreateKey();
  const created = create.data;
  return (
    <Dialog
      onClose={onClose}
      title={created === undefined ? 'Create key' : `“${created.name}” was created`}
      holdsSecret={created !== undefined}
    >
      {created === undefined ? (
        <CreateKeyForm create={create} onCancel={onClose} />
      ) : (
        <SecretNote secret={created.secret} onClose={onClose}>
          Programs send it as “Authorization: Bearer …”, and people log in with it. The service stores only a
          hash of it, so it cannot be shown again.
        </SecretNote>
      )}
    </Dialog>
  );
}

interface CreateKeyFormProps {
  readonly create: ReturnType<typeof useCreateKey>;
  readonly onCancel: () => void;
}

const accesses = [
  { value: 'read', label: 'Read everything' },
  { value: 'write', label: 'Read and edit resources' },
  { value: 'admin', label: 'Full access, including pipelines, plugins and keys' },
  { value: '', label: 'Plugin worker only' },
];

function CreateKeyForm({ create, onCancel }: CreateKeyFormProps): ReactElement {
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
    const expires_at = lastDay === '' ? null : endOfDay(lastDay);
    create.mutate({ name: name.trim(), scopes, expires_at });
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
          label="Plugin worker"
          description="Also allows what the worker of this plugin needs."
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
