import { Context } from '@temporalio/activity';
import { ServiceError, type ValidationFinding } from '../../core/errors.js';
import type { Delivery } from '../../core/runs/run-protocol.js';
import { maxReportBytes, buildStepMessage } from '@knowledge-warehouse/plugin/protocol';
import type { AttemptRef, RunRef } from '../../core/runs/refs.js';
import { makeAttemptToken } from '../../core/secrets/token.js';
import type { Deps } from '../../runtime/deps.js';
import { OutgoingError } from '../../runtime/outgoing/index.js';
import { inSpan } from '../../runtime/tracing/spans.js';
import { markSeen, readConfig } from '../../storage/pipelines/plugins.js';
import { isFull } from '../../storage/object-store/errors.js';
import { acceptReport } from '../../storage/transitions/accept-report.js';
import type { OpenedAttempt } from '../../storage/transitions/claim-attempt.js';
import { awaitCallback, type FailedAttempt } from '../../storage/transitions/report-attempt.js';
import { interrupted, startHeartbeat, toAttemptError } from '../attempt-errors.js';
import { claimScheduled } from '../claim-scheduled.js';
import { failAttempt, isClosed } from '../fail-attempt.js';
import { postToPlugin, signFor, type SignedMessage } from './post-to-plugin.js';
import { outlastStore, whenAvailable, whenAvailableToTheEnd } from '../when-available.js';
import { failedDelivery, invalidReport, readReply, type DeliveryReply } from './delivery-reply.js';

export interface DeliverStepInput extends RunRef {
  readonly stepIndex: number;
  readonly attemptBase: number;
}

/** The activity that delivers an attempt to an HTTP plugin's endpoint. Each try is its own attempt. */
export function createDeliverStep(deps: Deps): (input: DeliverStepInput) => Promise<Delivery> {
  return async function deliverStep(input: DeliverStepInput): Promise<Delivery> {
    const context = Context.current();
    const { resourceId, run, stepIndex } = input;
    const ref: AttemptRef = { resourceId, run, stepIndex, attempt: input.attemptBase + context.info.attempt };
    const stopHeartbeat = startHeartbeat(context);
    try {
      const opened = await claimScheduled(context, deps, ref, {
        plugins: null,
        scheduled: { attemptBase: input.attemptBase, activityType: null },
      });
      if (opened === null) return { attempt: ref.attempt, remainingMs: 0, settled: true };
      deps.logFields.add({ plugin: opened.step.plugin_id });
      const request = await whenAvailable(context, () => createRequest(deps, opened));
      const reply = await post(deps, context, opened, request);
      const settle = (): Promise<Delivery> =>
        whenAvailableToTheEnd(context, async () => {
          const seen = reply.kind === 'FAILURE' ? null : noteSeen(deps, opened.step.plugin_id);
          const [delivery] = await Promise.all([follow(deps, ref, opened, reply), seen]);
          return delivery;
        });
      return await inSpan('settle attempt', {}, () => outlasting(deps, context, ref, settle));
    } catch (error) {
      throw toAttemptError(context, ref.attempt, error);
    } finally {
      stopHeartbeat();
    }
  };
}

/** How often a report is recorded while the object store answers but refuses its content, and the pause after each. */
const mostTries = 5;
const pauseMs = 1_000;

/**
 * Repeats work for which the object store was away: our own outage must neither use up an attempt nor cost the worker's
 * report, which is still in memory.
 */
async function outlasting<T>(
  deps: Deps,
  context: Context,
  ref: AttemptRef,
  work: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'STORAGE_UNAVAILABLE' || isFull(error))
        throw error;
      const store = await outlastStore(context, deps, ref);
      if (store === 'AWAY') throw interrupted(ref.attempt, 'The object store could not be used');
      // It may have been away for a moment only, or accept no writes for a moment.
      if (store === 'THERE') {
        if (tries >= mostTries) throw error;
        await context.sleep(pauseMs);
      }
    }
  }
}

/** Records that the plugin's worker has answered. The step does not depend on it. */
async function noteSeen({ db, log }: Deps, pluginId: string): Promise<void> {
  await markSeen(db, pluginId).catch((err: unknown) => log.debug({ err }, 'an answer was not recorded'));
}

async function createRequest(deps: Deps, opened: OpenedAttempt): Promise<SignedMessage> {
  const { publicUrl: base, secrets } = deps.config;
  const { plugin_id: pluginId } = opened.step;
  const config = (await readConfig(deps.db, secrets, pluginId)) ?? {};
  const token = makeAttemptToken(secrets, opened);
  return await signFor(deps, pluginId, buildStepMessage({ ...opened, base, token, config }));
}

async function post(
  deps: Deps,
  context: Context,
  { step, deadline }: OpenedAttempt,
  request: SignedMessage,
): Promise<DeliveryReply> {
  try {
    const answer = await postToPlugin(deps, step.endpoint ?? '', request, {
      timeoutMs: Math.max(1, deadline.remainingMs),
      signal: context.cancellationSignal,
      maxResponseBytes: maxReportBytes,
    });
    deps.log.info({ status: answer.status }, 'step delivered');
    return readReply(answer);
  } catch (error) {
    if (context.cancellationSignal.aborted) throw error;
    return toFailure(error);
  }
}

function toFailure(error: unknown): FailedAttempt {
  if (error instanceof OutgoingError) {
    const { code, message } = error;
    if (code === 'TIMED_OUT') return { ...failedDelivery('STEP_TIMED_OUT', message, {}), timedOut: true };
    return failedDelivery(code === 'TOO_LARGE' ? 'INVALID_REPORT' : 'DELIVERY_FAILED', message, {});
  }
  if (error instanceof ServiceError && error.code === 'URL_NOT_ALLOWED')
    return { ...failedDelivery('DELIVERY_REJECTED', error.message, {}), retryable: false };
  throw error;
}

async function follow(
  deps: Deps,
  ref: AttemptRef,
  { step, deadline }: OpenedAttempt,
  reply: DeliveryReply,
): Promise<Delivery> {
  const settled: Delivery = { attempt: ref.attempt, remainingMs: 0, settled: true };
  try {
    if (reply.kind === 'TAKEN') {
      await awaitCallback(deps.db, ref, step);
      return { ...settled, settled: false, remainingMs: deadline.remainingMs };
    }
    const failure = reply.kind === 'REPORT' ? await accept(deps, ref, reply.report) : reply;
    return failure === null ? settled : await failAttempt(deps, ref, step, failure);
  } catch (error) {
    // A report came earlier, or the attempt was closed otherwise: its row decides.
    if (isClosed(error)) return settled;
    throw error;
  }
}

/** Accepts the report in a worker's answer. Returns the failure if it names an upload of another attempt. */
async function accept(
  deps: Deps,
  ref: AttemptRef,
  report: Extract<DeliveryReply, { kind: 'REPORT' }>['report'],
): Promise<FailedAttempt | null> {
  try {
    await acceptReport(deps, ref, report, { awaited: true });
    return null;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'VALIDATION_FAILED') throw error;
    return invalidReport(error.details['errors'] as readonly ValidationFinding[]);
  }
}
