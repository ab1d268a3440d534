import { Context } from '@temporalio/activity';
import type { CancelMessage } from '@knowledge-warehouse/plugin/protocol';
import type { AttemptRef } from '../../core/secrets/token.js';
import type { Deps } from '../../runtime/deps.js';
import { findPlugin } from '../../storage/pipelines/plugins.js';
import { findAttempt, findStep } from '../../storage/runs/runs.js';
import { refused } from '../activity-errors.js';
import { postToPlugin, signFor } from './post-to-plugin.js';

const timeoutMs = 8_000;

/** An attempt whose cancellation an HTTP worker is told. */
export interface CancelDeliveryInput extends AttemptRef {
  /** Read if the resource was deleted meanwhile, with all that is known of its steps. */
  readonly pluginId?: string;
}

/** The activity that tells an HTTP worker once that its attempt was cancelled. The answer is ignored. */
export function createCancelDelivery(deps: Deps): (input: CancelDeliveryInput) => Promise<void> {
  return async function cancelDelivery({ pluginId, ...ref }) {
    const step = await findStep(deps.db, ref.resourceId, ref.run, ref.stepIndex);
    if (step !== null && (await findAttempt(deps.db, ref))?.outcome !== 'CANCELLED')
      throw refused('the attempt was not cancelled.');
    const plugin = step === null && pluginId !== undefined ? await findPlugin(deps.db, pluginId) : null;
    const { plugin_id, endpoint } = step ?? { plugin_id: plugin?.id, endpoint: plugin?.endpoint };
    if (plugin_id === undefined || endpoint == null) return;
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
