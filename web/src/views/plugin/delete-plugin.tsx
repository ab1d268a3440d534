import { useDisclosure } from '@mantine/hooks';
import { IconTrash } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { useLocation } from 'wouter';
import { useDeletePlugin } from '../../api/plugins.js';
import type { Plugin } from '../../api/types.js';
import { AllowedButton } from '../../parts/allowed-button.js';
import { Confirm } from '../../parts/confirm.js';
import { showDone } from '../../parts/notices.js';
import { InUse } from './in-use.js';

interface DeletePluginProps {
  readonly plugin: Plugin;
  readonly etag: string | null;
}

export function DeletePlugin({ plugin, etag }: DeletePluginProps): ReactElement {
  const [isOpen, dialog] = useDisclosure(false);
  const [, navigate] = useLocation();
  const remove = useDeletePlugin(plugin.id);
  return (
    <>
      <AllowedButton
        scope="admin"
        variant="default"
        leftSection={<IconTrash size={16} aria-hidden />}
        onClick={dialog.open}
      >
        Delete
      </AllowedButton>
      <Confirm
        opened={isOpen}
        title="Delete this plugin?"
        action="Delete"
        isPending={remove.isPending}
        error={remove.error}
        remedy={<InUse error={remove.error} />}
        onClose={() => {
          dialog.close();
          remove.reset();
        }}
        onConfirm={() =>
          remove.mutate(etag, {
            onSuccess: () => {
              showDone(`“${plugin.name}” is deleted`);
              navigate('/plugins');
            },
          })
        }
      >
        <p>
          <strong>{plugin.name}</strong> and its config go away.
          {plugin.built_in
            ? ' It comes with the service and is back at the next start, with an empty config.'
            : ''}
        </p>
      </Confirm>
    </>
  );
}
