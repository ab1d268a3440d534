import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { msToNumber } from '@temporalio/common/lib/time.js';
import { clip } from '../../protocol/text.js';
import type { FailureReport } from '../../protocol/report.js';
import {
  internalUrls,
  interruptedType,
  type ActivityMessage,
  type CleanUpActivityMessage,
  type StepMessage,
} from '../../protocol/step.js';
import type { AnyPlugin, PluginLog } from '../../types.js';
import type { ActivityOrigins } from './activity-origin.js';
import { createAttemptCallback } from '../attempt/attempt-callback.js';
import { createAttemptControl, type AttemptControl, type EndCause } from '../attempt/attempt-control.js';
import { createAttemptProgress } from '../attempt/attempt-progress.js';
import { callCleanup } from '../clean-up.js';
import { clientOf, type CoreClient } from '../core/core-client.js';
import { CoreError, whileCoreIsAway } from '../core/core-error.js';
import { withLocalDeadline } from '../attempt/local-deadline.js';
import { withFields } from '../log.js';
import { runAttempt, type AttemptOutcome } from '../attempt/run-attempt.js';
import type { CoreAddress } from '../settings.js';

/** Maximum time between two heartbeats in milliseconds. Each response may contain a cancellation. */
export const longestHeartbeatMs = 3_000;

/** Shared state of the activities of one worker. */
export interface ActivityHost {
  readonly client: CoreClient;
  /** The key is sent only to this address, regardless of what a message contains. */
  readonly core: CoreAddress;
  readonly log: PluginLog;
  readonly origins: ActivityOrigins;
}

/** Creates the activity of a plugin: it claims the attempt, runs the plugin and reports the outcome by the callback. */
export function createActivity(
  plugin: AnyPlugin,
  host: ActivityHost,
): (message: ActivityMessage) => Promise<void> {
  return async (message) => {
    const context = Context.current();
    const attempt = message.attempt_base + context.info.attempt;
    const { resource_id, run, step_index } = message;
    const origin = host.origins.current();
    const client = clientOf(host.client, origin);
    const log = withFields(host.log, {
      request_id: origin['x-request-id'],
      resource_id,
      run,
      step_index,
      plugin: plugin.id,
      attempt,
    });
    const stopHeartbeat = startHeartbeat(context);
    const control = createAttemptControl(context.info.startToCloseTimeoutMs);
    const onCancel = (): void => control.end(isShuttingDown(context) ? 'STOPPED' : 'CANCELLED');
    context.cancellationSignal.addEventListener('abort', onCancel);
    if (context.cancellationSignal.aborted) onCancel();
    let outcome: AttemptOutcome;
    try {
      const json = { resource_id, run, step_index, attempt };
      const step = await claim({ ...host, client }, json, control, log);
      if (step === null) return;
      const callback = createAttemptCallback(client, step, log);
      // Temporal detects lost workers and delivers cancellations.
      const watch = { heartbeatMs: null, heedsCancel: false };
      const progress = createAttemptProgress(callback, control, log, watch);
      outcome = await runAttempt({ plugin, message: step, callback, control, progress, log });
    } catch (error) {
      if (control.ended === null) throw error instanceof CoreError ? toFailure(error, attempt) : error;
      outcome = { kind: 'ENDED', cause: control.ended };
    } finally {
      stopHeartbeat();
      control.dispose();
      context.cancellationSignal.removeEventListener('abort', onCancel);
    }
    if (outcome.kind === 'FAILURE') throw toFailure(outcome.error, attempt, backoffOf(context));
    if (outcome.kind === 'ENDED') await throwEnded(context, outcome.cause, attempt);
  };
}

/**
 * Throws the error that tells Temporal why an attempt ended. If its row or its resource is closed, Core already knows
 * the outcome, and nothing is thrown.
 */
async function throwEnded(context: Context, cause: EndCause, attempt: number): Promise<void> {
  if (cause === 'STOPPED') throw interrupted(attempt);
  if (cause === 'CANCELLED') await context.cancelled;
  if (cause === 'TIMED_OUT') {
    throw toFailure({ code: 'STEP_TIMED_OUT', message: 'The attempt did not end in time.' }, attempt);
  }
}

/** Creates the activity in which a plugin removes what it stores outside Core. */
export function createCleanUpActivity(
  plugin: AnyPlugin,
  { client, core, log, origins }: ActivityHost,
): (message: CleanUpActivityMessage) => Promise<void> {
  return async (message) => {
    const context = Context.current();
    const stopHeartbeat = startHeartbeat(context);
    const signal = context.cancellationSignal;
    try {
      const url = internalUrls.config(core.url, plugin.id);
      const origin = origins.current();
      const { body } = await client.call({ method: 'GET', url, bearer: core.apiKey, signal, origin });
      const { config } = body as { readonly config: Record<string, unknown> };
      await callCleanup(plugin, message, { config, signal, log });
    } catch (error) {
      if (!(error instanceof CoreError && error.status === 404)) throw error;
      log.warn({ plugin: plugin.id }, 'the plugin was deleted; the data that it stores elsewhere is kept');
    } finally {
      stopHeartbeat();
    }
  };
}

/** Claims an attempt. Returns null if it is already settled and there is nothing to do. */
async function claim(
  { client, core }: Pick<ActivityHost, 'client' | 'core'>,
  json: object,
  { signal }: AttemptControl,
  log: PluginLog,
): Promise<StepMessage | null> {
  const send = (): ReturnType<CoreClient['call']> =>
    client.call({ method: 'POST', url: internalUrls.claim(core.url), bearer: core.apiKey, json, signal });
  const { body } = await whileCoreIsAway(send, signal, (error) => log.warn({}, `${error.message}; retrying`));
  if ('settled' in (body as object)) return null;
  return withLocalDeadline(body as StepMessage, Date.now).message;
}

function startHeartbeat(context: Context): () => void {
  const { heartbeatTimeoutMs } = context.info;
  context.heartbeat();
  const timer = setInterval(
    () => context.heartbeat(),
    Math.min(longestHeartbeatMs, (heartbeatTimeoutMs ?? Infinity) / 3),
  );
  return () => clearInterval(timer);
}

function isShuttingDown(context: Context): boolean {
  return context.cancellationSignal.aborted && context.cancellationDetails?.workerShutdown === true;
}

/** Returns the failure that makes the workflow reschedule the step without using up an attempt. */
function interrupted(attempt: number): ApplicationFailure {
  return ApplicationFailure.create({
    type: interruptedType,
    message: 'The worker is shutting down; the step is scheduled again.',
    nonRetryable: true,
    details: [{ attempt }],
  });
}

/** Converts a failure for Temporal; Core already has it from the report. */
function toFailure(
  error: NonNullable<FailureReport['error']>,
  attempt: number,
  backoffSeconds = 0,
): ApplicationFailure {
  const pause = Math.min(error.retry_after_seconds ?? 0, 3_600);
  return ApplicationFailure.create({
    type: error.code ?? 'STEP_FAILED',
    message: clip(error.message ?? '', 2_000),
    nonRetryable: error.retryable === false,
    details: [{ attempt }],
    ...(pause > backoffSeconds && { nextRetryDelay: Math.round(pause * 1_000) }),
  });
}

/** Returns the step's pause between attempts in seconds, from the activity's retry policy. */
function backoffOf({ info }: Context): number {
  return msToNumber(info.retryPolicy?.initialInterval ?? 0) / 1_000;
}
