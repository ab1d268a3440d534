import type { AttemptRef } from '../../core/runs/refs.js';
import type { Logger } from '../logging/logger.js';
import type { WorkflowClient } from '../temporal/workflow-client.js';
import { createTemporalLoop } from './temporal-loop.js';

/** The repository functions that this sweep uses. */
export interface SignalTables {
  /** Leases reports whose signal is due. */
  lease(): Promise<readonly AttemptRef[]>;
  sent(signal: AttemptRef): Promise<void>;
}

/** Creates the sweep that sends the signals of reports that were committed but not signalled. */
export function createSignalSweep(
  tables: SignalTables,
  workflows: Pick<WorkflowClient, 'signalReport'>,
  log: Logger,
): () => Promise<void> {
  const forEach = createTemporalLoop(log);
  return async () => {
    await forEach(await tables.lease(), {
      ask: ({ resourceId, run, stepIndex, attempt }) =>
        workflows.signalReport(resourceId, run, { index: stepIndex, attempt }),
      take: (signal) => tables.sent(signal),
      fields: ({ resourceId, run }) => ({ resource_id: resourceId, run }),
    });
  };
}
