import type { WaitingFor } from '../../core/states.js';
import type { Deps } from '../../runtime/deps.js';
import type { SweepTask } from '../../runtime/sweeps/sweeper.js';
import type { Db } from '../../storage/database/connection.js';
import { findWholeResources } from '../../storage/resources.js';
import { leaseStepsToLookAt, noteWait } from '../../storage/waits.js';
import { unsentStartError } from '../../storage/outbox.js';
import { createLiveSteps, type LiveSteps } from './live-steps.js';

/** Questions to Temporal in one round of the sweeper. */
const looksAtOnce = 10;

/** Looks at steps by the dependencies of a process. */
export function liveStepsOf({ db, workflows }: Pick<Deps, 'db' | 'workflows'>): LiveSteps {
  return createLiveSteps(workflows, (resourceId, run) => unsentStartError(db, resourceId, run));
}

/**
 * Makes the sweep that notes what steps wait for by what Temporal says, so that lists need not ask it: of steps that have
 * been at work for a while, one by one. Many processes may carry it out at once.
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

/** Whether a wait is for another kind of thing. Its words change as workers come and go, and a list does not show them. */
function isOther(noted: WaitingFor | null, seen: WaitingFor | null): boolean {
  return noted?.kind !== seen?.kind;
}
