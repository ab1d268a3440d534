import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { CancelMessage, StepMessage } from '../../protocol/step.js';
import type { AnyPlugin, PluginLog } from '../../types.js';
import { createAttemptCallback, type AttemptCallback } from '../attempt/attempt-callback.js';
import { createAttemptControl, type AttemptControl } from '../attempt/attempt-control.js';
import { createAttemptProgress } from '../attempt/attempt-progress.js';
import { clientOf, type CoreClient } from '../core/core-client.js';
import { CoreError } from '../core/core-error.js';
import { withFields } from '../log.js';
import { withinTrace, type Origin } from '../origin.js';
import { runAttempt, type AttemptOutcome } from '../attempt/run-attempt.js';

/** The number of finished attempts that are remembered to recognize repeated messages. */
const mostRemembered = 10_000;
/** The maximum number of waiting attempts. */
const mostWaiting = 10_000;
/** Time limit in milliseconds for reporting that the worker stops. */
const farewellMs = 5_000;

/** The attempts of an HTTP worker. */
export interface HttpAttempts {
  /** Starts a step, only once even if its message is repeated. Returns false if too many are waiting. */
  take(plugin: AnyPlugin, message: StepMessage, remainingMs: number, origin: Origin): boolean;
  cancel(message: CancelMessage): void;
  /** Ends all attempts at a deleted resource. */
  forget(resourceId: string): void;
  /** Gives running attempts `graceMs` to end, then ends them as retryable failures. Do not call `take` afterwards. */
  stop(graceMs: number): Promise<void>;
}

export function createHttpAttempts(client: CoreClient, log: PluginLog, concurrency: number): HttpAttempts {
  const turns = pLimit(concurrency);
  /** By key: the control of a running attempt, or null for a finished one. */
  const known = new Map<string, AttemptControl | null>();
  const waiting = new Set<AttemptControl>();
  const underway = new Set<Promise<void>>();

  const remember = (key: string): void => {
    known.delete(key);
    known.set(key, null);
    for (const [oldest, control] of known) {
      if (known.size <= mostRemembered) break;
      if (control === null) known.delete(oldest);
    }
  };
  const work = async (
    plugin: AnyPlugin,
    message: StepMessage,
    control: AttemptControl,
    origin: Origin,
  ): Promise<void> => {
    const attemptLog = withFields(log, {
      request_id: origin['x-request-id'],
      resource_id: message.resource.id,
      run: message.run,
      step_index: message.step_index,
      plugin: plugin.id,
      attempt: message.attempt.number,
    });
    const callback = createAttemptCallback(clientOf(client, origin), message, attemptLog);
    const heartbeatMs = plugin.heartbeatSeconds === undefined ? null : (plugin.heartbeatSeconds * 1_000) / 3;
    const progress = createAttemptProgress(callback, control, attemptLog, { heartbeatMs, heedsCancel: true });
    const waits = turns.activeCount >= concurrency;
    if (waits) progress.report(null, `Waiting: the worker is busy with ${concurrency} other steps.`);
    waiting.add(control);
    try {
      const outcome = await turns(async (): Promise<AttemptOutcome> => {
        waiting.delete(control);
        if (control.ended !== null) return { kind: 'ENDED', cause: control.ended };
        if (waits) progress.report(null);
        return await runAttempt({ plugin, message, callback, control, progress, log: attemptLog });
      });
      if (outcome.kind === 'ENDED' && outcome.cause === 'STOPPED') await sayFarewell(callback);
    } catch (error) {
      attemptLog.error({ err: error }, 'the outcome could not be reported');
    } finally {
      control.dispose();
      progress.end();
    }
  };

  return {
    take(plugin, message, remainingMs, origin) {
      const { resource, run, step_index, attempt } = message;
      const key = keyOf(resource.id, run, step_index, attempt.number);
      if (known.has(key)) return true;
      if (turns.pendingCount >= mostWaiting) return false;
      const control = createAttemptControl(remainingMs);
      known.set(key, control);
      const working = withinTrace(origin, () => work(plugin, message, control, origin)).finally(() => {
        underway.delete(working);
        remember(key);
      });
      underway.add(working);
      return true;
    },
    cancel({ resource, run, step_index, attempt }) {
      const key = keyOf(resource.id, run, step_index, attempt);
      const control = known.get(key);
      // If its step arrives only now, it is not started.
      if (control === undefined) remember(key);
      control?.end('CANCELLED');
    },
    forget(resourceId) {
      for (const [key, control] of known) if (key.startsWith(`${resourceId}/`)) control?.end('GONE');
    },
    async stop(graceMs) {
      for (const control of waiting) control.end('STOPPED');
      const grace = new AbortController();
      await Promise.race([
        Promise.all(underway),
        pause(graceMs, undefined, { signal: grace.signal }).catch(() => undefined),
      ]);
      grace.abort();
      for (const control of known.values()) control?.end('STOPPED');
      await Promise.all(underway);
    },
  };
}

const keyOf = (resourceId: string, run: number, stepIndex: number, attempt: number): string =>
  [resourceId, run, stepIndex, attempt].join('/');

/** Makes Core retry an attempt soon, instead of after a missed heartbeat. */
async function sayFarewell(callback: AttemptCallback): Promise<void> {
  const error = { code: 'WORKER_STOPPED', message: 'The worker was stopped.', retryable: true };
  try {
    await callback.report({ status: 'FAILURE', error }, AbortSignal.timeout(farewellMs));
  } catch (failed) {
    // If the attempt is closed, gone or has succeeded, there is nothing to retry.
    if (!(failed instanceof CoreError && !failed.transient)) throw failed;
  }
}
