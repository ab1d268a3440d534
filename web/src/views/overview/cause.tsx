import { IconPlayerPlay, IconPlayerTrackNext } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { Link } from 'wouter';
import type { FailureGroup } from '@knowledge-warehouse/client';
import { newId } from '../../api/new-id.js';
import { failuresKey, startOperation, type OperationTarget } from '../../api/operations.js';
import { usePlugin, useTogglePlugin } from '../../api/plugins.js';
import { AllowedButton } from '../../parts/actions/allowed-button.js';
import { formatCount, plural, quoted } from '../../parts/format.js';
import { showDone, showProblem } from '../../parts/messages/notices.js';
import { Ago } from '../../parts/time.js';
import classes from './attention.module.css';

/** Why resources failed, an example, and the button that resumes them all. */
export function Cause({ group }: { readonly group: FailureGroup }): ReactElement {
  const { error_code, plugin_id, type, count, first_at, last_at, message, resource_id } = group;
  const address = new URLSearchParams({
    status: 'FAILED',
    error_code,
    type,
    ...(plugin_id !== null && { failed_plugin: plugin_id }),
  });
  return (
    <li className={classes.cause}>
      <div className={classes.what}>
        <p>
          <Link href={`/resources?${address}`} className={classes.count ?? ''}>
            {formatCount(count)} × {error_code}
          </Link>{' '}
          {plugin_id === null ? (
            'outside a step'
          ) : (
            <>
              at <Link href={`/plugins/${plugin_id}`}>{plugin_id}</Link>
            </>
          )}
          , type {type}
        </p>
        <p className={classes.message} dir="auto">
          {message}
        </p>
        <p className={classes.facts}>
          since <Ago at={first_at} />, last <Ago at={last_at} /> ·{' '}
          <Link href={`/resources/${resource_id}`}>Show an example</Link>
        </p>
      </div>
      {error_code === 'PLUGIN_INACTIVE' && plugin_id !== null && <ActivateButton id={plugin_id} />}
      <ResumeButton
        label={`Resume ${count === 1 ? 'it' : `all ${formatCount(count)}`}`}
        filter={{
          status: ['FAILED'],
          error_code: [error_code],
          type: [type],
          failed_plugin: plugin_id,
        }}
      />
    </li>
  );
}

interface ResumeButtonProps {
  readonly label: string;
  readonly filter: NonNullable<OperationTarget['filter']>;
}

/** Resumes all resources that a filter matches, from the step that failed. */
export function ResumeButton({ label, filter }: ResumeButtonProps): ReactElement {
  const client = useQueryClient();
  const [idempotencyKey, setIdempotencyKey] = useState(newId);
  const resume = useMutation({
    mutationFn: () => startOperation({ action: 'reprocess', from_step: 'failed', filter }, idempotencyKey),
    onSuccess: ({ matched }) => {
      showDone(`${plural(matched, 'resource')} will resume from the failed step`);
      // A later failure is a new operation.
      setIdempotencyKey(newId());
      void client.invalidateQueries({ queryKey: failuresKey });
    },
    onError: showProblem,
  });
  return (
    <AllowedButton
      scope="write"
      size="xs"
      variant="default"
      loading={resume.isPending}
      leftSection={<IconPlayerTrackNext size={15} aria-hidden />}
      onClick={() => resume.mutate()}
    >
      {label}
    </AllowedButton>
  );
}

/** Activates an inactive plugin at which steps failed. Renders nothing if it is active. */
function ActivateButton({ id }: { readonly id: string }): ReactElement | null {
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
