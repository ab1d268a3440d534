import { Context } from '@temporalio/activity';
import { messageOf, ServiceError } from '../../core/errors.js';
import type { StepError } from '../../core/states.js';
import type { ActivityMessage } from '../../core/wire/step.js';
import type { AttemptRef } from '../../core/wire/token.js';
import { PluginFailure, type AnyPlugin, type PluginContext } from '../../plugins/sdk/index.js';
import type { Deps } from '../../runtime/deps.js';
import { readConfig } from '../../storage/plugins.js';
import { writeProgress } from '../../storage/runs.js';
import { claimAttempt, type OpenedAttempt } from '../../storage/transitions/claim-attempt.js';
import { reportAttempt, type Outcome } from '../../storage/transitions/report-attempt.js';
import { interrupted, isShuttingDown, startHeartbeat, toApplicationFailure } from '../attempt-errors.js';
import { whenAvailable } from '../when-available.js';
import { createEmitted, type Emitted } from './emitted.js';
import { createInputs, createSource } from './inputs.js';

type Failure = Extract<Outcome, { kind: 'FAILURE' }>;

/**
 * Makes the activity of a plugin that runs inside Core's worker: it claims the attempt, runs the plugin on the stores
 * themselves and settles the attempt's row; what it returns and throws only tells Temporal the same.
 */
export function createBuiltInActivity(
  plugin: AnyPlugin,
  deps: Deps,
): (message: ActivityMessage) => Promise<void> {
  return async function runBuiltIn(message) {
    const context = Context.current();
    const ref: AttemptRef = {
      resourceId: message.resource_id,
      run: message.run,
      stepIndex: message.step_index,
      attempt: message.attempt_base + context.info.attempt,
    };
    const emitted = createEmitted(deps.objectStore, ref.resourceId);
    const stopHeartbeat = startHeartbeat(context);
    // Once its outcome is being written, only the row knows whether it was: nothing is removed any more.
    let settling = false;
    try {
      const opened = await whenAvailable(context, () => claimAttempt(deps.db, ref, [plugin.id]));
      if (opened === null) return;
      const failure = await runPlugin(plugin, deps, context, opened, emitted);
      if (failure !== null) await emitted.discard();
      settling = true;
      await whenAvailable(context, () =>
        failure === null ? settleSuccess(deps, ref, emitted) : settleFailure(deps, ref, opened, failure),
      );
    } catch (error) {
      if (!settling) await emitted.discard();
      if (isShuttingDown(context)) throw interrupted(ref.attempt);
      throw error;
    } finally {
      stopHeartbeat();
    }
  };
}

/** Runs the plugin. Returns how it failed, or null; throws when the activity is cancelled. */
async function runPlugin(
  plugin: AnyPlugin,
  deps: Deps,
  context: Context,
  opened: OpenedAttempt,
  emitted: Emitted,
): Promise<Failure | null> {
  const deadline = AbortSignal.timeout(Math.max(1, opened.attempt.deadline.getTime() - Date.now()));
  try {
    const signal = AbortSignal.any([context.cancellationSignal, deadline]);
    const pluginContext = await whenAvailable(context, () =>
      createPluginContext(plugin, deps, opened, emitted, signal),
    );
    await plugin.run(pluginContext);
    signal.throwIfAborted();
    return null;
  } catch (error) {
    if (context.cancellationSignal.aborted) throw error;
    return toFailure(error, deadline.aborted);
  }
}

async function createPluginContext(
  plugin: AnyPlugin,
  deps: Deps,
  { resource, step, attempt, inputs }: OpenedAttempt,
  emitted: Emitted,
  signal: AbortSignal,
): Promise<PluginContext<never>> {
  const config = (await readConfig(deps.db, deps.config.secrets, plugin.id)) ?? {};
  const log = deps.log.child({
    resource_id: resource.id,
    run: step.run,
    step: step.index,
    plugin: plugin.id,
    attempt: attempt.number,
  });
  const at = { resourceId: resource.id, run: step.run, stepIndex: step.index };
  const { id, name, type, media_type, size_bytes, sha256 } = resource;
  return {
    resource: { id, name, type, media_type, size_bytes, sha256 },
    run: step.run,
    stepIndex: step.index,
    attempt: { number: attempt.number, max: attempt.max, deadline: attempt.deadline },
    config: config as never,
    source: createSource(deps.objectStore, resource, signal),
    inputs: createInputs(deps.objectStore, inputs, signal),
    signal,
    log,
    emit: (artifact) => emitted.emit(artifact),
    progress: (fraction, message) => {
      writeProgress(deps.db, at, { fraction, message: message ?? null }).catch((error: unknown) =>
        log.warn({ err: error }, 'progress was not written'),
      );
    },
    fail: (code, message, options) => {
      throw new PluginFailure(code, message, options);
    },
  };
}

function toFailure(error: unknown, timedOut: boolean): Failure {
  const given = error instanceof PluginFailure ? error : null;
  const failure: StepError = {
    code: timedOut
      ? 'STEP_TIMED_OUT'
      : (given?.code ?? (error instanceof ServiceError ? error.code : 'STEP_FAILED')),
    message: timedOut ? 'The attempt did not end in time.' : messageOf(error),
    details: given?.options.details ?? {},
  };
  return {
    kind: 'FAILURE',
    error: failure,
    retryable: timedOut || (given?.options.retryable ?? true),
    retryAfterSeconds: given?.options.retryAfterSeconds ?? null,
    timedOut,
  };
}

async function settleFailure(
  deps: Deps,
  ref: AttemptRef,
  { step }: OpenedAttempt,
  failure: Failure,
): Promise<void> {
  try {
    await reportAttempt(deps.db, ref, failure, { settledBy: 'CORE', awaited: true });
  } catch (error) {
    if (isClosed(error)) return;
    throw error;
  }
  throw toApplicationFailure(failure.error, {
    retryable: failure.retryable,
    retryAfterSeconds: failure.retryAfterSeconds,
    backoffSeconds: step.backoff_seconds,
    attempt: ref.attempt,
  });
}

async function settleSuccess(deps: Deps, ref: AttemptRef, emitted: Emitted): Promise<void> {
  try {
    const outcome: Outcome = { kind: 'SUCCESS', artifacts: emitted.artifacts };
    await reportAttempt(deps.db, ref, outcome, { settledBy: 'CORE', awaited: true, reportHash: emitted.id });
  } catch (error) {
    if (!isClosed(error)) throw error;
    await emitted.discard();
  }
}

/** The attempt was closed from elsewhere, or its resource deleted: the row decides, there is nothing to add. */
function isClosed(error: unknown): boolean {
  return error instanceof ServiceError && (error.code === 'ATTEMPT_CLOSED' || error.code === 'NOT_FOUND');
}
