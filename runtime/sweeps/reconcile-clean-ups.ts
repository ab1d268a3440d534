import type { CleanUpRef } from '../../core/runs/refs.js';
import type { Logger } from '../logging/logger.js';
import type { WorkflowClient } from '../temporal/workflow-client.js';
import { createTemporalLoop } from './temporal-loop.js';

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
  const forEach = createTemporalLoop(log);
  const fields = ({ resourceId, run }: CleanUpRef) => ({
    resource_id: resourceId,
    ...(run !== null && { run }),
  });
  return async (after) => {
    const { refs, next } = await tables.listOpen(after);
    let restarted = 0;
    try {
      await forEach(refs, {
        // Does nothing if the workflow is running. Checking that first would be a race: it could end before the start.
        ask: ({ resourceId, run }) =>
          workflows.restartCleanUp(run === null ? { resourceId } : { resourceId, run }),
        take: (ref, wasStarted) => {
          if (!wasStarted) return;
          restarted += 1;
          log.warn(fields(ref), 'restarting a lost clean-up');
        },
        fields,
        atOnce: startsAtOnce,
      });
    } finally {
      await tables.restarted(restarted);
    }
    return next;
  };
}
