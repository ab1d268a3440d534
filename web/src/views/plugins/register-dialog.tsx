import type { ReactElement } from 'react';
import type { NewPlugin } from '@knowledge-warehouse/client';
import { useRegisterPlugin } from '../../api/plugins.js';
import { Dialog } from '../../parts/actions/dialog.js';
import { SecretNote } from '../../parts/messages/secret-note.js';
import { PluginForm, type PluginValues } from '../../parts/plugin-form/plugin-form.js';

/** Registers an HTTP plugin, and shows its secret once. */
export function RegisterDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const register = useRegisterPlugin();
  const registered = register.data;
  const secret = registered?.signing_secret;
  const submit = (values: PluginValues): void => {
    const filled = Object.entries(values).filter(([, value]) => value.trim() !== '');
    register.mutate({ ...Object.fromEntries(filled), kind: 'http' } as NewPlugin);
  };
  return (
    <Dialog
      onClose={onClose}
      title={registered === undefined ? 'Register HTTP plugin' : `“${registered.name}” was registered`}
      size="lg"
      holdsSecret={registered !== undefined}
    >
      {secret === undefined ? (
        <PluginForm
          shown={['id', 'name', 'endpoint', 'version']}
          initial={{}}
          action="Register"
          save={register}
          onSubmit={submit}
          onCancel={onClose}
        />
      ) : (
        <SecretNote secret={secret} onClose={onClose} />
      )}
    </Dialog>
  );
}
