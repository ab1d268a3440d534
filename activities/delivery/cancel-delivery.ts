import { Context } from '@temporalio/activity';
import type { CancelMessage } from '@knowledge-warehouse/plugin/protocol';
import type { AttemptRef } from '../../core/secrets/token.js';
import type { Deps } from '../../runtime/deps.js';
import { findAttempt, findStep } from '../../storage/runs/runs.js';
import { refused } from '../activity-errors.js';
import { postToPlugin, signFor } from './post-to-plugin.js';

const timeoutMs = 8_000;

/** The activity that tells an HTTP worker once that its attempt was cancelled. The answer is ignored. */
export function createCancelDelivery(deps: Deps): (ref: AttemptRef) => Promise<void> {
  return async function cancelDelivery(ref) {
    const step = await findStep(deps.db, ref.resourceId, ref.run, ref.stepIndex);
    if (step?.endpoint === null || step === null) return;
    if ((await findAttempt(deps.db, ref))?.outcome !== 'CANCELLED')
      throw refused('the attempt was not cancelled.');
    const message: CancelMessage = {
      protocol: 'kw.cancel/1',
      resource: { id: ref.resourceId },
      run: ref.run,
      step_index: ref.stepIndex,
      attempt: ref.attempt,
    };
    const signed = await signFor(deps, step.plugin_id, message);
    const signal = Context.current().cancellationSignal;
    const { status } = await postToPlugin(deps, step.endpoint, signed, { timeoutMs, signal });
    deps.log.info({ plugin: step.plugin_id, status }, 'a worker was told about a cancellation');
  };
}
