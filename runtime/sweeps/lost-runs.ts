import type { RunReconciler } from './reconcile-runs.js';
import type { SweepTask } from './sweeper.js';
import type { Turns } from './turns.js';

const turn = { name: 'lost runs', pauseSeconds: 10 };

/**
 * Checks inactive runs in turns. While Temporal knows none of them, there is no pause: after it has lost its data, the
 * pauses would delay the restart of the last one of many runs by hours.
 */
export function lostRunsTask(turns: Turns, runs: Pick<RunReconciler, 'lookForLost'>): SweepTask {
  return turns.task(turn, async () => {
    const allLost = await runs.lookForLost();
    return { position: null, ...(allLost && { pauseSeconds: 0 }) };
  });
}
