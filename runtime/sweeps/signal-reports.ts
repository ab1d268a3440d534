import type { AttemptRef } from '../../core/runs/refs.js';
import type { WorkflowClient } from '../temporal/workflow-client.js';
import { forEachDespiteRefusals } from './for-each.js';

/** The repository functions that this sweep uses. */
export interface SignalTables {
  /** Leases reports whose signal is due. */
  lease(): Promise<readonly AttemptRef[]>;
  /** Records that a signal was sent. */
  sent(signal: AttemptRef): Promise<void>;
}

/** Creates the sweep that sends the signals of reports that were committed but not signalled. */
export function createSignalSweep(
  tables: SignalTables,
  workflows: Pick<WorkflowClient, 'signalReport'>,
): () => Promise<void> {
  return async () => {
    await forEachDespiteRefusals(await tables.lease(), async (signal) => {
      const { resourceId, run, stepIndex, attempt } = signal;
      await workflows.signalReport(resourceId, run, { index: stepIndex, attempt });
      await tables.sent(signal);
    });
  };
}
