import type { Logger } from '../logging/logger.js';
import type { WorkflowClient } from '../temporal/workflow-client.js';

/** The repository functions that this sweep uses. */
export interface OperationTables {
  /** Running operations without recent progress. */
  listQuiet(): Promise<readonly string[]>;
  restarted(count: number): Promise<void>;
}

/**
 * Creates the sweep that restarts operations whose workflow is gone: terminated, or lost with Temporal's data.
 * Idempotent.
 */
export function createOperationReconciler(
  tables: OperationTables,
  workflows: Pick<WorkflowClient, 'startOperation'>,
  log: Logger,
): () => Promise<null> {
  return async () => {
    let restarted = 0;
    for (const id of await tables.listQuiet()) {
      // The workflow is already running.
      if (!(await workflows.startOperation(id, null))) continue;
      restarted += 1;
      log.warn({ operation_id: id }, 'restarting a lost operation');
    }
    await tables.restarted(restarted);
    return null;
  };
}
