import { ActionIcon, Tooltip } from '@mantine/core';
import { IconPlayerTrackNext } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { newId } from '../../api/new-id.js';
import { useChangeResource } from '../../api/resources.js';
import type { Resource, Step } from '@knowledge-warehouse/client';
import { showDone, showProblem } from '../../parts/messages/notices.js';
import { useRefusal } from '../../parts/actions/permission.js';
import classes from './run-from-here.module.css';

/** Resumes the run at a step, with the results of the steps before it. */
export function RunFromHere({
  resource,
  step,
}: {
  readonly resource: Resource;
  readonly step: Step;
}): ReactElement | null {
  const change = useChangeResource(resource.id);
  const isForbidden = useRefusal('write') !== null;
  if (isForbidden) return null;
  const run = (): void =>
    change.mutate(
      { kind: 'reprocess', fromStep: step.index, idempotencyKey: newId() },
      { onSuccess: () => showDone(`Running again from ${step.plugin_id}`), onError: showProblem },
    );
  return (
    <Tooltip label="Run again from this step">
      <ActionIcon
        className={classes.button}
        variant="subtle"
        color="gray"
        aria-label={`Run again from ${step.plugin_id}`}
        loading={change.isPending}
        onClick={run}
      >
        <IconPlayerTrackNext size={16} stroke={1.7} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
