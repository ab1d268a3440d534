import { setTimeout } from 'node:timers/promises';
import type { Context } from '@temporalio/activity';
import { isDatabaseUnavailable } from '../storage/database.js';

const pauseMs = 1_000;

/**
 * Does something with the database, and waits while that is away: an outage of ours is not to use up a step's
 * attempts. Ends with the activity: its time-out, its cancellation or the shut-down of its worker.
 */
export async function whenAvailable<T>(context: Context, work: () => Promise<T>): Promise<T> {
  return await waitingBy((ms) => context.sleep(ms), work);
}

/** The same for what is to be done though the activity was cancelled: it ends with the process alone. */
export async function whenAvailableAtLast<T>(work: () => Promise<T>): Promise<T> {
  return await waitingBy((ms) => setTimeout(ms, undefined, { ref: false }), work);
}

async function waitingBy<T>(pause: (ms: number) => Promise<void>, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      await pause(pauseMs);
    }
  }
}
