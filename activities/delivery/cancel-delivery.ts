import { Context } from '@temporalio/activity';
import type { CancelMessage } from '@knowledge-warehouse/plugin/protocol';
import type { AttemptRef } from '../../core/runs/refs.js';
import type { Deps } from '../../runtime/deps.js';
import { listCleanUpsOf, type CleanUp } from '../../storage/clean-ups.js';
import { findAttempt, findStep } from '../../storage/runs/runs.js';
import { refused } from '../activity-errors.js';
import { postToPlugin, signFor } from './post-to-plugin.js';

const timeoutMs = 8_000;

/** A cancelled attempt, and the plugin whose worker must know. */
export interface CancelDeliveryInput extends AttemptRef {
  /** The plugin of the step. Read only if the resource and its steps are deleted by then. */
  readonly pluginId?: string;
}

/** The activity that tells an HTTP worker once that its attempt was cancelled. The answer is ignored. */
export function createCancelDelivery(deps: Deps): (input: CancelDeliveryInput) => Promise<void> {
  return async function cancelDelivery({ pluginId, ...ref }) {
    // In this order, because a deletion may come in between.
    const attempt = await findAttempt(deps.db, ref);
    const step = await findStep(deps.db, ref.resourceId, ref.run, ref.stepIndex);
    if (step !== null && attempt?.outcome !== 'CANCELLED') throw refused('the attempt was not cancelled.');
    const receiver = step ?? (await deletionFor(deps, ref.resourceId, pluginId));
    if (receiver?.endpoint == null) return;
    const { plugin_id, endpoint } = receiver;
    const message: CancelMessage = {
      protocol: 'kw.cancel/1',
      resource: { id: ref.resourceId },
      run: ref.run,
      step_index: ref.stepIndex,
      attempt: ref.attempt,
    };
    const signed = await signFor(deps, plugin_id, message);
    const signal = Context.current().cancellationSignal;
    const { status } = await postToPlugin(deps, endpoint, signed, { timeoutMs, signal });
    deps.log.info({ plugin: plugin_id, status }, 'a worker was told about a cancellation');
  };
}

/** Finds the clean-up of a deleted resource that a plugin still has to do. Without one, an unknown attempt is ignored. */
async function deletionFor(
  { db }: Deps,
  resourceId: string,
  pluginId: string | undefined,
): Promise<CleanUp | undefined> {
  if (pluginId === undefined) return undefined;
  const cleanUps = await listCleanUpsOf(db, resourceId, pluginId);
  return cleanUps.find(({ reason }) => reason === 'RESOURCE_DELETED');
}
