import type { Logger } from '../../runtime/logging/logger.js';
import { createAwakeTime } from '../../runtime/sweeps/awake-time.js';
import type { SweepTask } from '../../runtime/sweeps/sweeper.js';
import type { Db } from '../../storage/database/connection.js';
import { countRepairs } from '../../storage/sweeps/repairs.js';
import { listSilentAttempts, settleSilentAttempt } from '../../storage/transitions/lost-workers.js';

/**
 * Creates the sweep that settles attempts whose HTTP worker sends no heartbeats. Only an API runs it, because it receives
 * the heartbeats. It settles an attempt only if it could have received one for the plugin's `heartbeat_seconds`: since
 * then it was neither started nor frozen, and the database was reachable. Other APIs do not wait for it.
 */
export function createSilentWorkersSweep(db: Db, log: Logger): SweepTask {
  const listening = createAwakeTime();
  let wasAway = false;
  return {
    name: 'silent workers',
    async run() {
      const silent = await listSilentAttempts(db, {
        limit: 100,
        listenedSeconds: listening.sinceLongBreak(),
        steadySeconds: listening.sinceBreak(),
      }).catch((error: unknown) => {
        wasAway = true;
        throw error;
      });
      if (wasAway) {
        listening.restart();
        wasAway = false;
        return;
      }
      for (const ref of silent) {
        if (!(await settleSilentAttempt(db, ref))) continue;
        await countRepairs(db, 'worker_lost', 1);
        log.warn(
          { resource_id: ref.resourceId, run: ref.run, step_index: ref.stepIndex, attempt: ref.attempt },
          'a worker stopped sending heartbeats',
        );
      }
    },
  };
}
