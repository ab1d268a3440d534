import { IconPlayerPlay } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { usePlugin, useTogglePlugin } from '../../api/plugins.js';
import { AllowedButton } from '../../parts/allowed-button.js';
import { showDone, showProblem } from '../../parts/notices.js';

/** Activates the plugin that steps failed at because it is inactive; nothing once it is active. */
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
        // The switch flips: with its tag, it flips only what was seen.
        toggle.mutate(data.etag, {
          onSuccess: () => showDone(`“${data.value.name}” is active`),
          onError: showProblem,
        })
      }
    >
      Activate {id}
    </AllowedButton>
  );
}
