import type { WaitingFor } from '../../core/states.js';
import type { Deps } from '../../runtime/deps.js';
import type { SweepTask } from '../../runtime/sweeps/sweeper.js';
import type { Db } from '../../storage/database/connection.js';
import { findWholeResources } from '../../storage/resources/resources.js';
import { leaseStepsToLookAt, noteWait } from '../../storage/runs/waits.js';
import { unsentStartError } from '../../storage/outbox.js';
import { createLiveSteps, type LiveSteps } from './live-steps.js';

/** Requests to Temporal in one round of the sweeper. */
const looksAtOnce = 10;

/** Creates the step lookup from the dependencies of a process. */
export function liveStepsOf({ db, workflows }: Pick<Deps, 'db' | 'workflows'>): LiveSteps {
  return createLiveSteps(workflows, (resourceId, run) => unsentStartError(db, resourceId, run));
}

/**
 * Creates the sweep that stores what steps wait for, so that lists need not ask Temporal. It asks about steps that have
 * been running for a while, one by one. Several processes may run it at the same time.
 */
export function createWaitSweep(db: Db, liveSteps: LiveSteps): SweepTask {
  return {
    name: 'waiting steps',
    async run() {
      const ids = await leaseStepsToLookAt(db, looksAtOnce);
      if (ids.length === 0) return;
      const resources = await findWholeResources(db, ids);
      await Promise.all(
        [...resources.values()].map(async ({ resource, steps }) => {
          const live = await liveSteps(resource, steps);
          for (const [position, step] of steps.entries()) {
            const waitingFor = live[position]?.waiting_for ?? null;
            if (isOther(step.waiting_for, waitingFor)) await noteWait(db, step, waitingFor);
          }
        }),
      );
    },
  };
}

/**
 * Whether a step now waits for a different kind of thing. Texts are ignored: they change as workers come and go, and
 * lists do not show them.
 */
function isOther(noted: WaitingFor | null, seen: WaitingFor | null): boolean {
  return noted?.kind !== seen?.kind;
}
