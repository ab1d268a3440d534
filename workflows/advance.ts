import {
  ActivityFailure,
  ApplicationFailure,
  proxyActivities,
  proxyLocalActivities,
} from '@temporalio/workflow';
import type { CoreActivities } from '../activities/index.js';

/**
 * A few local attempts within seconds, which add a single event. They keep the workflow task open, which adds three
 * events after eight seconds.
 */
const { advanceRun: advanceLocally } = proxyLocalActivities<CoreActivities>({
  startToCloseTimeout: '7 seconds',
  scheduleToCloseTimeout: '7 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumAttempts: 5 },
});

/** Retries by the server, which add no events, however long the outage lasts. */
const { advanceRun: advanceByServer } = proxyActivities<CoreActivities>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '30 seconds' },
  summary: 'Record what happened',
});

/**
 * Reports what a run observed and returns the next instruction, however long that takes. Throws only if the
 * activity refuses permanently.
 */
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
