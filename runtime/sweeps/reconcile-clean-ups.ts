import pLimit from 'p-limit';
import type { CleanUpRef } from '../../core/runs/refs.js';
import type { Logger } from '../logging/logger.js';
import type { WorkflowClient } from '../temporal/workflow-client.js';

/** The repository functions that this sweep uses. */
export interface CleanUpTables {
  /** A page of clean-ups that were recorded a while ago and are still pending, with the position of the next page. */
  listOpen(
    after: string | null,
  ): Promise<{ readonly refs: readonly CleanUpRef[]; readonly next: string | null }>;
  restarted(count: number): Promise<void>;
}

const startsAtOnce = 10;

/**
 * Creates the sweep that restarts clean-ups whose workflow is gone: terminated, or lost with Temporal's data. It
 * processes one page; it takes the position of the page and returns that of the next one. Idempotent.
 */
export function createCleanUpReconciler(
  tables: CleanUpTables,
  workflows: Pick<WorkflowClient, 'restartCleanUp'>,
  log: Logger,
): (after: string | null) => Promise<string | null> {
  const restart = async ({ resourceId, run }: CleanUpRef): Promise<boolean> => {
    // Does nothing if the workflow is running. Checking that first would be a race: it could end before the start.
    if (!(await workflows.restartCleanUp(run === null ? { resourceId } : { resourceId, run }))) return false;
    log.warn({ resource_id: resourceId, ...(run !== null && { run }) }, 'restarting a lost clean-up');
    return true;
  };
  return async (after) => {
    const { refs, next } = await tables.listOpen(after);
    const limit = pLimit(startsAtOnce);
    const started = await Promise.all(refs.map((ref) => limit(() => restart(ref)))).catch(
      (error: unknown) => {
        // One failed start must not make all others wait for their time-out.
        limit.clearQueue();
        throw error;
      },
    );
    await tables.restarted(started.filter(Boolean).length);
    return next;
  };
}
