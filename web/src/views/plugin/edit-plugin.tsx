import { useDisclosure } from '@mantine/hooks';
import { IconPencil } from '@tabler/icons-react';
import { useState, type ReactElement } from 'react';
import type { Plugin } from '@knowledge-warehouse/client';
import type { Tagged } from '../../api/client.js';
import { AllowedButton } from '../../parts/actions/allowed-button.js';
import { Dialog } from '../../parts/actions/dialog.js';
import { EditForm } from './edit-form.js';

interface EditPluginProps {
  readonly plugin: Plugin;
  readonly etag: string | null;
  /** Reloads the plugin and returns it, unless it is gone. */
  readonly onReload: () => Promise<Tagged<Plugin> | undefined>;
}

/** Changes what describes a plugin and where its steps are sent. Its config has an editor of its own. */
export function EditPlugin(props: EditPluginProps): ReactElement | null {
  const [isOpen, dialog] = useDisclosure(false);
  // The service itself registers its plugins at every start.
  if (props.plugin.built_in) return null;
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
      {isOpen && <EditDialog {...props} onClose={dialog.close} />}
    </>
  );
}

function EditDialog({
  plugin,
  etag,
  onReload,
  onClose,
}: EditPluginProps & { readonly onClose: () => void }): ReactElement {
  const [base, setBase] = useState<Tagged<Plugin>>({ value: plugin, etag });
  return (
    <Dialog onClose={onClose} title="Edit plugin" size="lg">
      <EditForm key={base.etag} base={base} onReload={onReload} onDiscard={setBase} onClose={onClose} />
    </Dialog>
  );
}
