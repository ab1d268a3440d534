import { IconPlayerPlay } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { usePlugin, useTogglePlugin } from '../../api/plugins.js';
import { AllowedButton } from '../../parts/actions/allowed-button.js';
import { quoted } from '../../parts/format.js';
import { showDone, showProblem } from '../../parts/messages/notices.js';

/** Activates an inactive plugin at which steps failed. Renders nothing if it is active. */
export function ActivateButton({ id }: { readonly id: string }): ReactElement | null {
  const { data } = usePlugin(id);
  const toggle = useTogglePlugin(id);
  if (data === undefined || data.value.is_active) return null;
  return (
    <AllowedButton
      scope="admin"
      size="xs"
      variant="default"
      loading={toggle.isPending}
      leftSection={<IconPlayerPlay size={15} aria-hidden />}
      onClick={() =>
        // The etag ensures that the switch toggles the state that the user saw.
        toggle.mutate(data.etag, {
          onSuccess: () => showDone(`${quoted(data.value.name)} is active`),
          onError: showProblem,
        })
      }
    >
      Activate {id}
    </AllowedButton>
  );
}
