import type { StepError } from '../../core/states.js';
import type { AttemptRef } from '../../core/runs/refs.js';
import type { Db } from '../database/connection.js';
import { lockResource } from '../resources/resources.js';
import { attemptsAllowed, findStep } from '../runs/runs.js';
import { pauseAfter } from './follow-attempt.js';
import { settleAttempt } from './attempt-writes.js';
import { markStepRetrying } from './status-writes.js';

/** Seconds after a short break within which this process has received all heartbeats sent during the break. */
const arrivalSeconds = 30;

/**
 * Attempts whose HTTP worker sent no heartbeat for its plugin's `heartbeat_seconds`, although this process could receive
 * them that long.
 *
 * @param options.listenedSeconds Time since the last break that was long enough for senders to give up
 * @param options.steadySeconds Time since the last break of any length
 */
export async function listSilentAttempts(
  db: Db,
  options: { readonly limit: number; readonly listenedSeconds: number; readonly steadySeconds: number },
): Promise<AttemptRef[]> {
  return await db('attempts')
    .select('resource_id as resourceId', 'run', 'step_index as stepIndex', 'number as attempt')
    .where('silent_at', '<=', db.fn.now())
    .whereRaw(
      `(select s.heartbeat_seconds <= ? and least(s.heartbeat_seconds, ?) <= ? from steps s
        where s.resource_id = attempts.resource_id and s.run = attempts.run and s.index = attempts.step_index)`,
      [options.listenedSeconds, arrivalSeconds, options.steadySeconds],
    )
    .orderBy('silent_at')
    .limit(options.limit);
}

/**
 * Settles an attempt as TIMED_OUT if its worker is still silent, and schedules the run's signal. Returns false if a
 * heartbeat arrived or the attempt was settled in the meantime.
 */
export async function settleSilentAttempt(db: Db, ref: AttemptRef): Promise<boolean> {
  return await db.transaction(async (trx) => {
    await lockResource(trx, ref.resourceId);
    const step = await findStep(trx, ref.resourceId, ref.run, ref.stepIndex);
    const silent: unknown = await trx('attempts')
      .where({ resource_id: ref.resourceId, run: ref.run, step_index: ref.stepIndex, number: ref.attempt })
      .whereNull('outcome')
      .where('silent_at', '<=', trx.fn.now())
      .first('number');
    if (step === null || silent === undefined) return false;
    const error: StepError = {
      code: 'HEARTBEAT_TIMED_OUT',
      message: `The worker sent no heartbeat for ${step.heartbeat_seconds ?? 0} seconds.`,
      details: {},
    };
    await settleAttempt(trx, step, ref.attempt, {
      outcome: 'TIMED_OUT',
      settled_by: 'SWEEP',
      error,
      retryable: true,
      signalAfterSeconds: 0,
    });
    if (ref.attempt < attemptsAllowed(step)) {
      const pauseSeconds = pauseAfter(step, null);
      await markStepRetrying(trx, step, { attempt: ref.attempt, error, pauseSeconds });
    }
    return true;
  });
}
