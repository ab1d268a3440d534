import { isDeepStrictEqual } from 'node:util';
import { isOutcome, outcomesOf, type Attempt } from '../attempt.js';
import type { Kit } from '../kit.js';
import { unavailable } from '../replies.js';
import { failed, notApplicable, passed, type Rule } from '../rule.js';
import type { Place } from '../step-message.js';
import { describeSettlement, seconds } from '../words.js';

const duplicateDelivery: Rule = {
  name: 'duplicate-delivery',
  section: 'a-step',
  needsOutcome: true,
  async run(kit) {
    const once = await kit.ordinary();
    if (describeSeveralOutcomes(once.attempt) !== null)
      return notApplicable('a step delivered once has several outcomes: see one-outcome');
    const attempt = kit.attempt();
    const [settled, second] = await Promise.all([kit.settle(attempt), kit.deliver(attempt)]);
    const third = await kit.deliver(attempt);
    return () => {
      const refused = [settled.answer, second, third].find(({ status }) => status < 200 || status > 299);
      if (refused !== undefined) return failed('200 or 202 to a repeated message', String(refused.status));
      const outcomes = outcomesOf(attempt);
      if (outcomes.length === 0) return notApplicable('it reported no outcome');
      const expected = 'work on the step only once, however often the message arrives';
      const [first] = outcomes;
      if (outcomes.some(({ report }) => !isDeepStrictEqual(report, first?.report)))
        return failed(expected, 'outcomes that differ');
      const reported = outcomes.filter(({ via }) => via === 'callback').length;
      if (reported > 1) return failed(expected, `the outcome was reported ${reported} times`);
      // The worker may compute its answer again for each message, as long as it is the same.
      const reads = attempt.reads.length;
      if (reported === 1 && reads > once.attempt.reads.length)
        return failed(expected, `the source and the inputs were read ${reads} times`);
      return passed;
    };
  },
};

const otherAttempts: Rule = {
  name: 'other-attempts',
  section: 'a-step',
  needsOutcome: true,
  async run(kit) {
    const { attempt: first } = await kit.ordinary();
    const { resource, run, step_index, attempt } = first.message;
    const resourceId = resource.id;
    const others: readonly (readonly [string, Place])[] = [
      ['the next attempt', { resourceId, attempt: { number: attempt.number + 1, max: attempt.max } }],
      ['the next run', { resourceId, run: run + 1 }],
      ['another step of the run', { resourceId, stepIndex: step_index + 1 }],
    ];
    for (const [what, place] of others) {
      const delivery = await kit.settle(kit.attempt({}, kit.material, place));
      if (delivery.attempt.outcome === null)
        return failed(`an outcome for ${what} of a resource`, describeSettlement(delivery, kit));
    }
    return passed;
  },
};

const oneOutcome: Rule<Pick<Kit, 'core'>> = {
  name: 'one-outcome',
  section: 'reports',
  run: ({ core }) =>
    Promise.resolve(() => {
      // The rule duplicate-delivery judges the effects of a repeated message.
      const once = core.attempts.filter(
        ({ deliveries, behaviour }) => deliveries <= 1 && behaviour.onReport === undefined,
      );
      if (!once.some(({ outcome }) => outcome !== null)) return notApplicable('it reported no outcome');
      const [several] = once.map(describeSeveralOutcomes).filter((text) => text !== null);
      return several === undefined ? passed : failed('one outcome of an attempt', several);
    }),
};

/** Describes the outcomes of an attempt with different ones; null if there are none. An equal repeat does not count. */
function describeSeveralOutcomes(attempt: Attempt): string | null {
  const [first, ...more] = outcomesOf(attempt);
  const other = more.find(({ report }) => !isDeepStrictEqual(report, first?.report));
  if (first === undefined || other === undefined) return null;
  const words = [first, other].map(({ report, via }) =>
    via === 'answer' ? `${report?.status ?? ''} as the answer` : `${report?.status ?? ''} by the callback`,
  );
  return words.join(', then another: ');
}

const reportRetried: Rule = {
  name: 'report-retried',
  section: 'reports',
  needsOutcome: true,
  async run(kit) {
    let refusals = 0;
    const attempt = kit.attempt({
      onReport: (report) => (isOutcome(report) && refusals++ === 0 ? unavailable : undefined),
    });
    const { answer } = await kit.settle(attempt);
    if (answer.status === 200) return notApplicable('its outcome is the answer to the step');
    const outcomes = outcomesOf(attempt);
    const [first, second] = outcomes;
    if (first === undefined) return notApplicable('it reported no outcome');
    const expected = 'the same report again after 503 with Retry-After: 1';
    if (second === undefined) return failed(expected, `none within ${seconds(kit.timeoutMs)}`);
    const isSame = isDeepStrictEqual(first.report, second.report);
    return isSame ? passed : failed(expected, 'another report');
  },
};

export const deliveryRules = [duplicateDelivery, otherAttempts, oneOutcome, reportRetried];
