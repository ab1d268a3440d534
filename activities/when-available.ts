import { setTimeout } from 'node:timers/promises';
import type { Context } from '@temporalio/activity';
import { ServiceError } from '../core/errors.js';
import type { AttemptRef } from '../core/runs/refs.js';
import { withTimeLimit } from '../core/time-limit.js';
import type { Deps } from '../runtime/deps.js';
import { isDatabaseUnavailable } from '../storage/database/connection.js';
import { isFull } from '../storage/object-store/errors.js';
import type { ObjectStore } from '../storage/object-store/types.js';
import { writeProgress } from '../storage/runs/runs.js';

const pauseMs = 1_000;
/**
 * Milliseconds before its timeout at which an activity stops waiting, so that it can still report the reason.
 */
const longestMarginMs = 2_000;
/** Milliseconds of silence below which a database counts as slow, not away, however short the margin is. */
const leastSilenceMs = 500;

/** When each activity first used the database, on this process's monotonic clock. */
const begun = new WeakMap<Context, number>();

/**
 * Runs work on the database, and waits while the database is away: our own outage must not use up a step's
 * attempts. Ends on cancellation, on worker shutdown, and shortly before the activity's timeout with the
 * database's error.
 */
export async function whenAvailable<T>(context: Context, work: () => Promise<T>): Promise<T> {
  noteBegin(context);
  return await retrying(work, async (error) => {
    if (remainingMs(context) < pauseMs) throw error;
    await context.sleep(pauseMs);
  });
}

/**
 * Like `whenAvailable`, for work that must happen even if the activity was cancelled. Only the end of the
 * process stops it.
 */
export async function whenAvailableDespiteCancel<T>(work: () => Promise<T>): Promise<T> {
  return await retrying(work, () => setTimeout(pauseMs, undefined, { ref: false }));
}

/**
 * Like `whenAvailable`, but the work still completes if the activity ends sooner. Shortly before the timeout, the wait
 * ends with the database's error, but only if the database refused the work, or has been silent for the margin and at
 * least half a second. Work that begins too late for that reaches the timeout, since it must not count as interrupted.
 */
export async function whenAvailableToTheEnd<T>(context: Context, work: () => Promise<T>): Promise<T> {
  noteBegin(context);
  const begin = performance.now();
  const outage = { isSeen: false };
  const done = retrying(work, () => {
    outage.isSeen = true;
    return setTimeout(pauseMs, undefined, { ref: false });
  });
  done.catch(() => undefined);

  const over = new AbortController();
  const options = { signal: over.signal, ref: false };
  const timeUp = (async () => {
    await setTimeout(remainingMs(context), undefined, options);
    const silenceMs = Math.max(leastSilenceMs, marginMs(context)) - (performance.now() - begin);
    if (!outage.isSeen) await setTimeout(Math.max(0, silenceMs), undefined, options);
    if (!outage.isSeen && usedMs(context) >= context.info.startToCloseTimeoutMs)
      return await context.cancelled;
    throw new ServiceError('DATABASE_UNAVAILABLE', 'The database cannot be reached.');
  })();
  timeUp.catch(() => undefined);
  try {
    return await Promise.race([done, timeUp, context.cancelled]);
  } finally {
    over.abort();
  }
}

/** What the object store was found to be: not away, away until now and back again, or still away. */
type StoreSeen = 'THERE' | 'BACK' | 'AWAY';

/**
 * Waits while the object store is away, until shortly before the activity's timeout, and says so in the step's progress.
 * A full store is not away, since only a person can make room.
 */
export async function outlastStore(
  context: Context,
  { db, log, objectStore }: Pick<Deps, 'db' | 'log' | 'objectStore'>,
  ref: AttemptRef,
): Promise<StoreSeen> {
  let seen: StoreSeen = 'THERE';
  while (await isAway(objectStore)) {
    if (seen === 'THERE') {
      const progress = { fraction: null, message: 'Waiting for the object store, which cannot be used.' };
      await writeProgress(db, ref, progress).catch((err: unknown) =>
        log.warn({ err }, 'progress was not recorded'),
      );
    }
    seen = 'BACK';
    if (remainingMs(context) < pauseMs) return 'AWAY';
    await context.sleep(pauseMs);
  }
  return seen;
}

async function isAway(store: Pick<ObjectStore, 'check'>): Promise<boolean> {
  const checked = store.check().then(
    () => false,
    (error: unknown) => !isFull(error),
  );
  return await withTimeLimit(longestMarginMs, checked, () => true);
}

function noteBegin(context: Context): void {
  if (!begun.has(context)) begun.set(context, performance.now());
}

function marginMs({ info }: Context): number {
  return Math.min(longestMarginMs, info.startToCloseTimeoutMs / 5);
}

function usedMs(context: Context): number {
  return performance.now() - (begun.get(context) ?? performance.now());
}

function remainingMs(context: Context): number {
  return Math.max(0, context.info.startToCloseTimeoutMs - marginMs(context) - usedMs(context));
}

async function retrying<T>(work: () => Promise<T>, pause: (error: unknown) => Promise<void>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      await pause(error);
    }
  }
}
