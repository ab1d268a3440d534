import pLimit from 'p-limit';
import type { Logger } from '../logging/logger.js';
import type { WorkflowClient } from '../temporal/workflow-client.js';

/** What the workflow of a clean-up is known by; `run` null: it removes what a deleted resource left. */
interface CleanUpRef {
  readonly resourceId: string;
  readonly run: number | null;
}

/** What the sweep over clean-ups needs of the tables. */
export interface CleanUpTables {
  /** A page of what was noted a while ago and is not done, with where the next one begins. */
  listOpen(
    after: string | null,
  ): Promise<{ readonly refs: readonly CleanUpRef[]; readonly next: string | null }>;
  restarted(count: number): Promise<void>;
}

const startsAtOnce = 10;

/**
 * Makes the sweep that has clean-ups at work whose workflow is gone: terminated, or lost with Temporal's data. It does
 * one page, and takes and returns where that begins. It may be carried out twice.
 */
export function createCleanUpReconciler(
  tables: CleanUpTables,
  workflows: Pick<WorkflowClient, 'restartCleanUp'>,
  log: Logger,
): (after: string | null) => Promise<string | null> {
  const restart = async ({ resourceId, run }: CleanUpRef): Promise<boolean> => {
    // Who is at work already says so: asked first, it could end before it is started.
    if (!(await workflows.restartCleanUp(run === null ? { resourceId } : { resourceId, run }))) return false;
    log.warn({ resource_id: resourceId, ...(run !== null && { run }) }, 'a lost clean-up is started again');
    return true;
  };
  return async (after) => {
    const { refs, next } = await tables.listOpen(after);
    const limit = pLimit(startsAtOnce);
    const started = await Promise.all(refs.map((ref) => limit(() => restart(ref)))).catch(
      (error: unknown) => {
        // A Temporal that does not take one start is not made to miss all the others.
        limit.clearQueue();
        throw error;
      },
    );
    await tables.restarted(started.filter(Boolean).length);
    return next;
  };
}
