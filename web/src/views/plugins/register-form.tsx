import type { ReactElement } from 'react';
import type { NewPlugin, RegisteredPlugin } from '@knowledge-warehouse/client';
import { useRegisterPlugin } from '../../api/plugins.js';
import { PluginForm, type PluginValues } from '../../parts/plugin-form/plugin-form.js';

interface RegisterFormProps {
  readonly onRegistered: (plugin: RegisteredPlugin) => void;
  readonly onCancel: () => void;
}

export function RegisterForm({ onRegistered, onCancel }: RegisterFormProps): ReactElement {
  const register = useRegisterPlugin();
  const submit = (values: PluginValues): void => {
    const filled = Object.entries(values).filter(([, value]) => value.trim() !== '');
    const body = { ...Object.fromEntries(filled), kind: 'http' } as NewPlugin;
    register.mutate(body, { onSuccess: onRegistered });
  };
  return (
    <PluginForm
      shown={['id', 'name', 'endpoint', 'version']}
      initial={{}}
      action="Register"
      save={register}
      onSubmit={submit}
      onCancel={onCancel}
    />
  );
}
