import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { useTogglePlugin } from '../../api/plugins.js';
import type { Plugin } from '@knowledge-warehouse/client';
import { AllowedButton } from '../../parts/actions/allowed-button.js';
import { quoted } from '../../parts/format.js';
import { showDone, showProblem } from '../../parts/messages/notices.js';

interface TogglePluginProps {
  readonly plugin: Plugin;
  /** Ensures that the switch toggles the state that the user saw. */
  readonly etag: string | null;
}

export function TogglePlugin({ plugin, etag }: TogglePluginProps): ReactElement {
  const toggle = useTogglePlugin(plugin.id);
  const { is_active, name } = plugin;
  return (
    <AllowedButton
      scope="admin"
      variant="default"
      loading={toggle.isPending}
      leftSection={
        is_active ? <IconPlayerPause size={16} aria-hidden /> : <IconPlayerPlay size={16} aria-hidden />
      }
      onClick={() =>
        toggle.mutate(etag, {
          onSuccess: () =>
            showDone(is_active ? `${quoted(name)} is inactive: new steps fail` : `${quoted(name)} is active`),
          onError: showProblem,
        })
      }
    >
      {is_active ? 'Deactivate' : 'Activate'}
    </AllowedButton>
  );
}
