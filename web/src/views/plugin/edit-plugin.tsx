import { useDisclosure } from '@mantine/hooks';
import { IconPencil } from '@tabler/icons-react';
import { useState, type ReactElement } from 'react';
import type { Plugin } from '@knowledge-warehouse/client';
import { useUpdatePlugin } from '../../api/plugins.js';
import { AllowedButton } from '../../parts/actions/allowed-button.js';
import { Dialog } from '../../parts/actions/dialog.js';
import { PluginForm, type PluginField, type PluginValues } from '../../parts/plugin-form/plugin-form.js';

interface EditPluginProps {
  readonly plugin: Plugin;
  readonly etag: string | null;
}

/** Changes what describes a plugin and where its steps are sent. Its config has an editor of its own. */
export function EditPlugin({ plugin, etag }: EditPluginProps): ReactElement | null {
  const [isOpen, dialog] = useDisclosure(false);
  // The service itself registers its plugins at every start.
  if (plugin.built_in) return null;
  return (
    <>
      <AllowedButton
        scope="admin"
        variant="default"
        leftSection={<IconPencil size={16} aria-hidden />}
        onClick={dialog.open}
      >
        Edit
      </AllowedButton>
      {isOpen && (
        <Dialog onClose={dialog.close} title="Edit plugin" size="lg">
          <EditForm plugin={plugin} etag={etag} onClose={dialog.close} />
        </Dialog>
      )}
    </>
  );
}

const routing: Readonly<Record<Plugin['kind'], readonly PluginField[]>> = {
  http: ['endpoint'],
  activity: ['task_queue', 'activity_type'],
};

function EditForm({
  plugin,
  etag,
  onClose,
}: EditPluginProps & { readonly onClose: () => void }): ReactElement {
  // The plugin as it was when editing started: a later change by someone else must not be overwritten.
  const [seen] = useState({ plugin, etag });
  const update = useUpdatePlugin(plugin.id);
  const { name, version, description, endpoint, task_queue, activity_type } = seen.plugin;
  const initial: PluginValues = {
    ...{ name, version, description },
    ...(seen.plugin.kind === 'http'
      ? { endpoint: endpoint ?? '' }
      : { task_queue: task_queue ?? '', activity_type: activity_type ?? '' }),
  };
  return (
    <PluginForm
      shown={['name', ...routing[plugin.kind], 'version']}
      initial={initial}
      action="Save"
      save={update}
      onSubmit={(values) => update.mutate({ ...seen, values }, { onSuccess: onClose })}
      onCancel={onClose}
    >
      <p className="dim small">A worker that registers the plugin when it starts replaces these values.</p>
    </PluginForm>
  );
}
