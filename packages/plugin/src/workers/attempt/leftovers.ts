import { callCleanup } from '../clean-up.js';
import { CoreError } from '../core/core-error.js';
import type { Attempt } from './remote-context.js';

/** Time limits in milliseconds for the request to Core and for the clean-up. */
const askMs = 10_000;
const cleanUpMs = 60_000;

/**
 * Called when a plugin finishes after its attempt ended. If the resource was deleted meanwhile, Core's clean-up came
 * before the plugin's last writes elsewhere, so this runs the clean-up again. Never throws.
 */
export async function removeLeftovers({ plugin, message, callback, log }: Attempt): Promise<void> {
  if (plugin.cleanup === undefined) return;
  try {
    await callback.tell({ status: 'PROGRESS', progress: {} }, AbortSignal.timeout(askMs));
  } catch (error) {
    if (!(error instanceof CoreError && error.status === 404)) return;
    const { resource, run } = message;
    const request = { reason: 'RESOURCE_DELETED', resource, run, artifacts: [] } as const;
    const host = { config: message.plugin.config, signal: AbortSignal.timeout(cleanUpMs), log };
    await callCleanup(plugin, request, host).catch((failed: unknown) =>
      log.error({ err: failed }, 'data of a deleted resource could not be removed'),
    );
  }
}
