import type { Logger } from '../logging/logger.js';
import type { WorkflowClient } from '../temporal/workflow-client.js';

/** What the sweep over operations needs of the tables. */
export interface OperationTables {
  /** Running operations without recent progress. */
  listQuiet(): Promise<readonly string[]>;
  restarted(count: number): Promise<void>;
}

/**
 * Makes the sweep that has operations at work whose workflow is gone: terminated, or lost with Temporal's data. It may be
 * carried out twice.
 */
export function createOperationReconciler(
  tables: OperationTables,
  workflows: Pick<WorkflowClient, 'startOperation'>,
  log: Logger,
): () => Promise<null> {
  return async () => {
    let restarted = 0;
    for (const id of await tables.listQuiet()) {
      // Who is at work already says so.
      if (!(await workflows.startOperation(id, null))) continue;
      restarted += 1;
      log.warn({ operation_id: id }, 'a lost operation is started again');
    }
    await tables.restarted(restarted);
    return null;
  };
}
