import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useState, type ReactElement, type SubmitEvent } from 'react';
import { isApiError } from '../../api/client.js';
import { useChangeResource, useResource } from '../../api/resources.js';
import type { Resource } from '@knowledge-warehouse/client';
import { Dialog } from '../actions/dialog.js';
import { quoted } from '../format.js';
import { Problem } from '../messages/problem.js';
import { useUnsaved } from '../actions/unsaved.js';

interface RenameDialogProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** Opens when the current resource is known, because a list has no etags. */
export function RenameDialog({ id, onClose }: RenameDialogProps): ReactElement | null {
  const { data, error, isStale, isFetchedAfterMount } = useResource(id);
  const [wasCurrent] = useState(!isStale);
  if (!wasCurrent && !isFetchedAfterMount) return null;
  return (
    <Dialog onClose={onClose} title="Rename">
      {data === undefined ? (
        <Problem error={error} />
      ) : (
        <RenameForm resource={data.value} etag={data.etag} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface RenameFormProps {
  readonly resource: Resource;
  readonly etag: string | null;
  readonly onClose: () => void;
}

function RenameForm({ resource, etag, onClose }: RenameFormProps): ReactElement {
  const [name, setName] = useState(resource.name);
  const change = useChangeResource(resource.id);
  // The change is based on the name shown when editing started, not on a later one. Other changes, such as an
  // ended run, do not matter.
  const [seen, setSeen] = useState({ name: resource.name, etag });
  if (resource.name === seen.name && etag !== seen.etag) setSeen({ name: seen.name, etag });
  useUnsaved(name !== seen.name && !change.isSuccess);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    change.mutate({ kind: 'rename', name: name.trim(), etag: seen.etag }, { onSuccess: onClose });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="Name"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={500}
          required
          withAsterisk={false}
          data-autofocus
        />
        <Problem error={change.error}>
          {isApiError(change.error, 'PRECONDITION_FAILED') && (
            <p>Its name is now {quoted(resource.name)}. To rename it anyway, reopen this dialog.</p>
          )}
        </Problem>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={change.isPending} disabled={name.trim() === ''}>
            Rename
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
