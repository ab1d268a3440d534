import {
  ActivityFailure,
  ApplicationFailure,
  proxyActivities,
  proxyLocalActivities,
} from '@temporalio/workflow';
import type { CoreActivities } from '../activities/index.js';

/**
 * A few tries right here, within seconds, which leave one event. The workflow's task is held open meanwhile: after eight
 * seconds that costs three events.
 */
const { advanceRun: advanceLocally } = proxyLocalActivities<CoreActivities>({
  startToCloseTimeout: '7 seconds',
  scheduleToCloseTimeout: '7 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumAttempts: 5 },
});

/** Tries of the server's, which leave no event however long the outage lasts. */
const { advanceRun: advanceByServer } = proxyActivities<CoreActivities>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '30 seconds' },
  summary: 'Wait for the database',
});

/** Tells what a run saw and learns what is next, however long that takes. Throws only what the activity refuses for good. */
export const advanceRun: CoreActivities['advanceRun'] = async (ref, event) => {
  try {
    return await advanceLocally(ref, event).catch((error: unknown) => {
      if (refusalIn(error) !== null) throw error;
      return advanceByServer(ref, event);
    });
  } catch (error) {
    throw refusalIn(error) ?? error;
  }
};

function refusalIn(error: unknown): ApplicationFailure | null {
  const cause = error instanceof ActivityFailure ? error.cause : null;
  return cause instanceof ApplicationFailure && cause.nonRetryable ? cause : null;
}
