import type { Readable } from 'node:stream';
import { Context } from '@temporalio/activity';
import { messageOf, ServiceError, type ErrorCode } from '../../core/errors.js';
import type { BuiltInOutcome } from '../../core/runs/run-protocol.js';
import type { StepError } from '../../core/states.js';
import { fitDetails, type ActivityMessage } from '@knowledge-warehouse/plugin/protocol';
import type { AttemptRef } from '../../core/runs/refs.js';
import { PluginFailure, type AnyPlugin, type PluginContext } from '@knowledge-warehouse/plugin';
import {
  createInputs,
  createSource,
  parseConfig,
  createProgressThrottle,
  type ProgressThrottle,
} from '@knowledge-warehouse/plugin/host';
import type { Deps } from '../../runtime/deps.js';
import { inSpan } from '../../runtime/tracing/spans.js';
import { openStored } from '../../storage/object-store/open-stored.js';
import {
  isUnreadable,
  unreadableArtifact,
  unreadableSource,
  type Unreadable,
} from '../../storage/object-store/unreadable.js';
import { readConfig } from '../../storage/pipelines/plugins.js';
import { noteLateWork } from '../../storage/clean-ups.js';
import type { Resource } from '../../storage/resources/resources.js';
import { writeProgress, type Step } from '../../storage/runs/runs.js';
import type { OpenedAttempt } from '../../storage/transitions/claim-attempt.js';
import { reportAttempt, type FailedAttempt, type Outcome } from '../../storage/transitions/report-attempt.js';
import { logAdvanced } from '../advance-run.js';
import { interrupted, startHeartbeat, toAttemptError } from '../attempt-errors.js';
import { claimScheduled } from '../claim-scheduled.js';
import { failAttempt, isClosed } from '../fail-attempt.js';
import {
  outlastStore,
  whenAvailable,
  whenAvailableToTheEnd,
  whenAvailableDespiteCancel,
} from '../when-available.js';
import { createEmitted, type Emitted } from './emitted.js';

const storeAway: ErrorCode = 'STORAGE_UNAVAILABLE';

/** How long an artifact may still be stored after the activity was cancelled, in milliseconds. */
const storingGraceMs = 3_000;

/**
 * Creates the activity of a plugin that runs inside Core's worker. It claims the attempt, runs the plugin on
 * the stores directly and settles the attempt's row; its failure only reports the row's outcome to Temporal. After a
 * success, the next instruction is decided in the same transaction and returned, so the run need not ask.
 */
export function createBuiltInActivity(
  plugin: AnyPlugin,
  deps: Deps,
): (message: ActivityMessage) => Promise<BuiltInOutcome> {
  return async function runBuiltIn(message) {
    const context = Context.current();
    const ref: AttemptRef = {
      resourceId: message.resource_id,
      run: message.run,
      stepIndex: message.step_index,
      attempt: message.attempt_base + context.info.attempt,
    };
    const emitted = createEmitted(deps.objectStore, ref.resourceId, {
      maxArtifactBytes: deps.config.maxArtifactBytes,
      signal: delayed(context.cancellationSignal, storingGraceMs),
      log: deps.log,
    });
    const stopHeartbeat = startHeartbeat(context);
    // While the outcome is being written, only the row knows whether it was committed, so nothing is removed.
    let settling = false;
    let opened: OpenedAttempt | null = null;
    try {
      opened = await claimScheduled(context, deps, ref, {
        plugins: [plugin.id],
        scheduled: { attemptBase: message.attempt_base, activityType: plugin.id },
      });
      if (opened === null) return {};
      const { step } = opened;
      const given = await whenAvailable(context, () => readConfig(deps.db, deps.config.secrets, plugin.id));
      const failure = await runPlugin(plugin, deps, context, opened, { emitted, config: given ?? {} });
      if (failure !== null) await emitted.discard();
      const isStoreAway =
        failure?.error.code === storeAway && (await outlastStore(context, deps, ref)) !== 'THERE';
      if (isStoreAway) throw interrupted(ref.attempt, 'The object store could not be used');
      settling = true;
      return await inSpan('settle attempt', {}, () =>
        whenAvailableToTheEnd(context, () => settle(context, deps, ref, step, emitted, failure)),
      );
    } catch (error) {
      if (!settling) await emitted.discard();
      throw toAttemptError(context, ref.attempt, error);
    } finally {
      if (opened !== null && plugin.cleanup !== undefined) await cleanUpLateWork(deps, ref, plugin.id);
      stopHeartbeat();
    }
  };
}

function delayed(signal: AbortSignal, ms: number): AbortSignal {
  const later = new AbortController();
  const abort = (): void => later.abort(signal.reason);
  signal.addEventListener('abort', () => void setTimeout(abort, ms).unref(), { once: true });
  return later.signal;
}

/**
 * If an attempt wrote external data after its resource was deleted or a later run began, that data missed the clean-up:
 * schedule another one.
 */
async function cleanUpLateWork(deps: Deps, ref: AttemptRef, pluginId: string): Promise<void> {
  try {
    const isLate = await whenAvailableDespiteCancel(() => noteLateWork(deps.db, ref, pluginId));
    if (isLate) deps.log.warn('the resource was deleted or another run began during the attempt');
  } catch (error) {
    deps.log.error({ err: error }, 'a clean-up was not recorded');
  }
}

/** Runs the plugin. Returns its failure or null; throws if the activity is cancelled. */
async function runPlugin(
  plugin: AnyPlugin,
  deps: Deps,
  context: Context,
  opened: OpenedAttempt,
  { emitted, config: given }: { readonly emitted: Emitted; readonly config: Record<string, unknown> },
): Promise<FailedAttempt | null> {
  const deadline = AbortSignal.timeout(Math.max(1, Math.ceil(opened.deadline.remainingMs)));
  const progress = showProgress(deps, opened);
  const unreadable: ServiceError[] = [];
  const onUnreadable = (error: ServiceError): Promise<void> => Promise.resolve(void unreadable.push(error));
  try {
    const signal = AbortSignal.any([context.cancellationSignal, deadline]);
    const config = parseConfig(plugin.configSchema, given);
    await inSpan(`plugin ${plugin.id}`, {}, async () => {
      // A plugin that only listens to the signal would never end.
      signal.throwIfAborted();
      await plugin.run(
        createPluginContext(deps, opened, { config, emitted, progress, onUnreadable, signal }),
      );
      await emitted.complete();
    });
    // A cancelled activity settles what it has finished: Temporal may have given up an attempt whose row is still open.
    deadline.throwIfAborted();
    // The plugin's own result is ignored: it did not see its whole input.
    return unreadable[0] === undefined ? null : toFailure(unreadable[0], false);
  } catch (error) {
    if (context.cancellationSignal.aborted) throw error;
    return toFailure(unreadable[0] ?? error, unreadable.length === 0 && deadline.aborted);
  } finally {
    await progress.flush();
  }
}

function showProgress(deps: Deps, { resource, step }: OpenedAttempt): ProgressThrottle {
  const at = { resourceId: resource.id, run: step.run, stepIndex: step.index };
  return createProgressThrottle(
    (progress) => writeProgress(deps.db, at, progress),
    (error) => deps.log.warn({ err: error }, 'progress was not recorded'),
  );
}

function createPluginContext(
  deps: Deps,
  { resource, step, attempt, deadline, inputs }: OpenedAttempt,
  host: {
    readonly config: unknown;
    readonly emitted: Emitted;
    readonly progress: ProgressThrottle;
    readonly onUnreadable: (error: ServiceError) => Promise<void>;
    readonly signal: AbortSignal;
  },
): PluginContext<never> {
  const { id, name, type, source_type, media_type, size_bytes, sha256, metadata } = resource;
  const open = async (
    content: Pick<Resource, 'object_key' | 'size_bytes' | 'sha256'>,
    unreadable: Unreadable,
  ): Promise<Readable> => {
    const { object_key, size_bytes: size, sha256: hash } = content;
    if (object_key === null || size === null) throw unreadable('missing');
    return await openStored(
      deps.objectStore,
      { object_key, size_bytes: size, sha256: hash },
      { unreadable, onUnreadable: host.onUnreadable, signal: host.signal },
    );
  };
  return {
    resource: { id, name, type, source_type, media_type, size_bytes, sha256, metadata },
    run: step.run,
    stepIndex: step.index,
    attempt: { number: attempt.number, max: attempt.max, deadline: deadline.toDate() },
    config: host.config as never,
    source: createSource(resource, () => open(resource, unreadableSource(resource))),
    inputs: createInputs(
      inputs.map((input) => ({ ...input, artifact_id: input.id, metadata: input.metadata.parse() })),
      (input) => open(input, unreadableArtifact(input)),
    ),
    signal: host.signal,
    log: deps.log,
    fetch: deps.pluginFetch,
    emit: (artifact) => host.emitted.emit(artifact),
    progress: (fraction, message) => host.progress.report(fraction, message),
    fail: (code, message, options) => {
      throw new PluginFailure(code, message, options);
    },
  };
}

function toFailure(error: unknown, timedOut: boolean): FailedAttempt {
  const given = error instanceof PluginFailure ? error : null;
  const failure: StepError = {
    code: timedOut
      ? 'STEP_TIMED_OUT'
      : (given?.code ?? (error instanceof ServiceError ? error.code : 'STEP_FAILED')),
    message: timedOut ? 'The attempt did not end in time.' : messageOf(error),
    details: fitDetails(given?.options.details ?? (isUnreadable(error) ? error.details : {})),
  };
  return {
    kind: 'FAILURE',
    error: failure,
    retryable: timedOut || (given?.options.retryable ?? !isUnreadable(error)),
    retryAfterSeconds: given?.options.retryAfterSeconds ?? null,
    timedOut,
  };
}

async function settle(
  { cancellationSignal }: Context,
  deps: Deps,
  ref: AttemptRef,
  step: Step,
  emitted: Emitted,
  failure: FailedAttempt | null,
): Promise<BuiltInOutcome> {
  // What a cancelled activity returns is lost: a signal tells the run, which then asks.
  const isHeard = !cancellationSignal.aborted;
  try {
    if (failure !== null) return await failAttempt(deps, ref, step, failure);
    const outcome: Outcome = { kind: 'SUCCESS', artifacts: emitted.artifacts };
    const { next } = await reportAttempt(deps.db, ref, outcome, {
      settledBy: 'CORE',
      awaited: isHeard,
      reportHash: emitted.id,
      ...(isHeard && { coreUrl: deps.config.publicUrl }),
    });
    if (next === null) return {};
    logAdvanced(deps, 'RETURNED', next);
    return { next };
  } catch (error) {
    if (!isClosed(error)) throw error;
    if (failure === null) await emitted.discard();
    return {};
  }
}
