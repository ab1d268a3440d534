import type { Context } from '@temporalio/activity';
import type { AttemptRef } from '../core/runs/refs.js';
import type { Deps } from '../runtime/deps.js';
import { errorOf } from '../runtime/temporal/pending-activity.js';
import { inSpan } from '../runtime/tracing/spans.js';
import { noteWhyReplaced } from '../storage/transitions/attempt-writes.js';
import { claimAttempt, type Claimant, type OpenedAttempt } from '../storage/transitions/claim-attempt.js';
import { whenAvailable } from './when-available.js';

/** Milliseconds that Temporal has to say why it repeats an attempt. */
const patienceMs = 500;

/** Claims an attempt for one of Core's own activities. If it replaces an open one, records and logs the reason. */
export async function claimScheduled(
  context: Context,
  deps: Deps,
  ref: AttemptRef,
  claimant: Claimant,
): Promise<OpenedAttempt | null> {
  const opened = await inSpan('claim attempt', {}, () =>
    whenAvailable(context, () => claimAttempt(deps.db, ref, claimant)),
  );
  if (opened !== null && opened.replaced !== null) {
    // The attempt does not wait for that.
    void explainReplaced(context, deps, ref, opened.replaced).catch((err: unknown) =>
      deps.log.warn({ err }, 'the reason for replacing an attempt was not recorded'),
    );
  }
  return opened;
}

async function explainReplaced(
  { info }: Context,
  { db, log, workflows }: Deps,
  ref: AttemptRef,
  replaced: number,
): Promise<void> {
  const work = await workflows.pendingWork(ref.resourceId, ref.run, patienceMs);
  // By now, the attempt may have failed too, or another step may run.
  const activity = work?.activities.find(
    ({ activityId, attempt }) => activityId === info.activityId && attempt === info.attempt,
  );
  const error = activity === undefined ? null : errorOf(activity);
  // A step that a shutdown interrupted has no error: nothing went wrong.
  if (error === null) return;
  const { code, message: reason } = error;
  log.warn({ attempt: ref.attempt, replaced, code, reason }, 'an attempt replaced one without an outcome');
  await noteWhyReplaced(db, { ...ref, attempt: replaced }, error);
}
