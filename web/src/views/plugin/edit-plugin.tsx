import { useDisclosure } from '@mantine/hooks';
import { IconPencil } from '@tabler/icons-react';
import { useState, type ReactElement } from 'react';
import type { Plugin } from '@knowledge-warehouse/client';
import { isApiError, type Tagged } from '../../api/client.js';
import { useUpdatePlugin } from '../../api/plugins.js';
import { AllowedButton } from '../../parts/actions/allowed-button.js';
import { Dialog } from '../../parts/actions/dialog.js';
import { useUnsaved } from '../../parts/actions/unsaved.js';
import { ConflictActions } from '../../parts/messages/conflict-actions.js';
import { PluginForm, type PluginField, type PluginValues } from '../../parts/plugin-form/plugin-form.js';
import { DeclarationFields } from './declaration-fields.js';
import { changesOf, toDeclaration, toDeclared } from './declaration.js';

interface EditPluginProps {
  readonly plugin: Plugin;
  readonly etag: string | null;
  /** Reloads the plugin, and acts on it unless it is gone. */
  readonly onReload: (act: (current: Tagged<Plugin>) => void) => Promise<void>;
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

interface EditDialogProps extends EditPluginProps {
  readonly onClose: () => void;
}

function EditDialog({ plugin, etag, onReload, onClose }: EditDialogProps): ReactElement {
  const [base, setBase] = useState<Tagged<Plugin>>({ value: plugin, etag });
  return (
    <Dialog onClose={onClose} title="Edit plugin" size="lg">
      <EditForm key={base.etag} base={base} onReload={onReload} onDiscard={setBase} onClose={onClose} />
    </Dialog>
  );
}

interface EditFormProps extends Pick<EditDialogProps, 'onReload' | 'onClose'> {
  /** The plugin as it was when editing started: a later change by someone else must not be overwritten. */
  readonly base: Tagged<Plugin>;
  /** Starts again with another version of the plugin. */
  readonly onDiscard: (base: Tagged<Plugin>) => void;
}

const routing: Readonly<Record<Plugin['kind'], readonly PluginField[]>> = {
  http: ['endpoint'],
  activity: ['task_queue', 'activity_type'],
};

function EditForm({ base, onReload, onDiscard, onClose }: EditFormProps): ReactElement {
  const { id, kind, name, version, description, endpoint, task_queue, activity_type } = base.value;
  const update = useUpdatePlugin(id);
  const [declaration, setDeclaration] = useState(() => toDeclaration(base.value));
  const declared = changesOf(toDeclared(declaration), toDeclared(toDeclaration(base.value)));
  useUnsaved(!update.isSuccess && Object.keys(declared).length > 0);
  const initial: PluginValues = {
    ...{ name, version, description },
    ...(kind === 'http'
      ? { endpoint: endpoint ?? '' }
      : { task_queue: task_queue ?? '', activity_type: activity_type ?? '' }),
  };

  /** Saves only what the user changed, on top of the rest of a version of the plugin. */
  const send = ({ value: plugin, etag }: Tagged<Plugin>, values: PluginValues): void => {
    const changes = { ...changesOf(values, initial), ...declared };
    if (Object.keys(changes).length === 0) onClose();
    else update.mutate({ plugin, etag, values: changes }, { onSuccess: onClose });
  };
  return (
    <PluginForm
      shown={['name', ...routing[kind], 'version']}
      initial={initial}
      action="Save"
      save={update}
      onSubmit={(values) => send(base, values)}
      onCancel={onClose}
      more={(errorOf) => (
        <DeclarationFields value={declaration} onChange={setDeclaration} errorOf={errorOf} />
      )}
      remedy={(values) =>
        isApiError(update.error, 'PRECONDITION_FAILED') && (
          <ConflictActions
            path={`/plugins/${id}`}
            onDiscard={() => void onReload(onDiscard)}
            onOverwrite={() => void onReload((current) => send(current, values))}
          />
        )
      }
    >
      <p className="dim small">A worker that registers the plugin when it starts replaces these values.</p>
    </PluginForm>
  );
}
