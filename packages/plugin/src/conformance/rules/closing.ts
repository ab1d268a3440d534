import { setTimeout as wait } from 'node:timers/promises';
import type { CancelMessage } from '../../protocol/step.js';
import { isOutcome, type Attempt } from '../attempt.js';
import { failed, notApplicable, passed, warning, type Finding, type Rule } from '../rule.js';
import { attemptClosed } from '../replies.js';
import { seconds } from '../words.js';

const section = 'a-cancellation';
/** How long after a refusal or a cancellation requests may still be in flight, in milliseconds. */
const graceMs = 500;
/** How long a worker may take to answer a cancellation while it waits for its source, milliseconds. */
const cancelMs = 5_000;
const is2xx = (status: number): boolean => status >= 200 && status <= 299;

const stopsWhenClosed: Rule = {
  name: 'stops-when-closed',
  section,
  needsOutcome: true,
  async run(kit) {
    const attempt = kit.attempt({ onReport: () => attemptClosed('TIMED_OUT') });
    const answer = await kit.deliver(attempt);
    if (answer.status !== 202) return notApplicable('its outcome is the answer to the step');
    const first = await kit.core.until(() => attempt.reports[0], kit.timeoutMs);
    if (first === undefined) return notApplicable('it reported nothing');
    return () => judgeSilence(attempt, '409 ATTEMPT_CLOSED');
  },
};

const cancelAnswered: Rule = {
  name: 'cancel-answered',
  section,
  async run(kit) {
    const { attempt } = await kit.ordinary();
    for (const [which, message] of [
      ['an attempt it never had', cancelMessage(kit.attempt())],
      ['a finished attempt', cancelMessage(attempt)],
    ] as const) {
      const { status } = await kit.worker.post(message);
      if (!is2xx(status)) return failed(`any 2xx to kw.cancel/1 for ${which}`, String(status));
    }
    return passed;
  },
};

const cancelObeyed: Rule = {
  name: 'cancel-obeyed',
  section,
  needsOutcome: true,
  async run(kit) {
    const cancellation: { at: number | null } = { at: null };
    const attempt = kit.attempt({
      // The source is served after the cancellation is sent, so that the worker is busy by then.
      onRead: async () => {
        await kit.core.until(() => cancellation.at ?? undefined, kit.timeoutMs);
        return undefined;
      },
      onReport: () => (cancellation.at === null ? undefined : attemptClosed('CANCELLED')),
    });
    const delivery = kit.deliver(attempt);
    await Promise.race([
      kit.core.until(() => attempt.reads[0], kit.timeoutMs),
      delivery.then(() => kit.core.until(() => attempt.reads[0] ?? attempt.outcome ?? undefined, graceMs)),
    ]);
    if (attempt.outcome !== null) return notApplicable('it finished before it could be cancelled');
    const answer = kit.worker.post(cancelMessage(attempt));
    // A worker that handles one request at a time answers only after it has received the source.
    await Promise.race([answer, wait(cancelMs)]);
    cancellation.at = Date.now();
    kit.core.nudge();
    const [{ status }] = await Promise.all([answer, delivery]);
    if (!is2xx(status)) return failed('any 2xx to kw.cancel/1 for a running attempt', String(status));
    return () => {
      const finding = judgeSilence(attempt, 'kw.cancel/1 and 409 ATTEMPT_CLOSED');
      const whole = attempt.reports.find(({ report }) => report?.status === 'SUCCESS');
      if (finding.status !== 'passed' || whole === undefined) return finding;
      return warning(
        'work that stops soon after kw.cancel/1',
        'it continued and reported SUCCESS, which Core no longer accepts',
      );
    };
  },
};

/**
 * Whether a worker stopped sending after its first 409. Requests already in flight do not count: one outcome at any
 * time, and progress for a moment.
 */
function judgeSilence(attempt: Attempt, after: string): Finding {
  const [first, ...more] = attempt.reports.filter(({ status }) => status === 409);
  if (first === undefined) return passed;
  const lastWord = isOutcome(first.report) ? undefined : more.find(({ report }) => isOutcome(report));
  const wrong = more.find(
    (report) => report !== lastWord && (isOutcome(report.report) || report.at > first.at + graceMs),
  );
  if (wrong === undefined) return passed;
  return failed(
    `no more reports after ${after}`,
    `${wrong.report?.status ?? 'a report'} ${seconds(wrong.at - first.at)} later`,
  );
}

function cancelMessage({ message }: Attempt): CancelMessage {
  return {
    protocol: 'kw.cancel/1',
    resource: { id: message.resource.id },
    run: message.run,
    step_index: message.step_index,
    attempt: message.attempt.number,
  };
}

export const closingRules = [stopsWhenClosed, cancelAnswered, cancelObeyed];
