import type { WorkflowClient } from '../temporal/workflow-client.js';
import { forEachDespiteRefusals } from './for-each.js';

interface DueSignal {
  readonly resourceId: string;
  readonly run: number;
  readonly stepIndex: number;
  readonly attempt: number;
}

/** The repository functions that this sweep uses. */
export interface SignalTables {
  /** Leases reports whose signal is due. */
  lease(): Promise<readonly DueSignal[]>;
  /** Records that a signal was sent. */
  sent(signal: DueSignal): Promise<void>;
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
