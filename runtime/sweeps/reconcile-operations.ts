import type { Logger } from '../logging/logger.js';
import type { WorkflowClient } from '../temporal/workflow-client.js';
import { createTemporalLoop } from './temporal-loop.js';

/** The repository functions that this sweep uses. */
export interface OperationTables {
  /** A page of running operations without recent progress, with the position of the next page. */
  listQuiet(after: string | null): Promise<{ readonly ids: readonly string[]; readonly next: string | null }>;
  restarted(count: number): Promise<void>;
}

/**
 * Creates the sweep that restarts operations whose workflow is gone: terminated, or lost with Temporal's data. It
 * processes one page, so that many quiet operations do not hide a lost one; it takes the position of the page and
 * returns that of the next one. Idempotent.
 */
export function createOperationReconciler(
  tables: OperationTables,
  workflows: Pick<WorkflowClient, 'startOperation'>,
  log: Logger,
): (after: string | null) => Promise<string | null> {
  const forEach = createTemporalLoop(log);
  const fields = (id: string) => ({ operation_id: id });
  return async (after) => {
    const { ids, next } = await tables.listQuiet(after);
    let restarted = 0;
    try {
      await forEach(ids, {
        // Does nothing if the workflow is running.
        ask: (id) => workflows.startOperation(id, null),
        take: (id, wasStarted) => {
          if (!wasStarted) return;
          restarted += 1;
          log.warn(fields(id), 'restarting a lost operation');
        },
        fields,
      });
    } finally {
      await tables.restarted(restarted);
    }
    return next;
  };
}
