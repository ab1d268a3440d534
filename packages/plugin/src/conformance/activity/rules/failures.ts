import { failed, notApplicable, passed, type Finding, type Rule } from '../../rule.js';
import { repeatedReads } from '../../attempt.js';
import type { ActivityKit, OfferedStep } from '../kit.js';
import { describeEnd, hasSucceeded, reportedOutcome } from '../outcomes.js';

const failureReported: Rule<ActivityKit> = {
  name: 'failure-reported',
  section: 'the-protocol-of-activity-workers',
  async run(kit) {
    const findings = [...(await judgeUnreadable(kit, 500)), ...(await judgeUnreadable(kit, 'BROKEN'))];
    for (const material of kit.failing) findings.push(judgeFailing(await kit.settle({ material }), kit));
    if (findings.length === 0)
      return notApplicable('it reads neither source nor inputs; give --failing-source or --failing-config');
    return findings.find(({ status }) => status === 'failed') ?? passed;
  },
};

/** How often an attempt may read a content that it cannot get before it is closed. */
const mostReads = 2;

/**
 * Lets reads of the source and the inputs fail in the first of two attempts. Reading again is as good as throwing; a
 * worker that throws gets the second attempt, in which reads succeed. Returns no findings for a worker that reads
 * neither.
 */
async function judgeUnreadable(kit: ActivityKit, answer: 500 | 'BROKEN'): Promise<Finding[]> {
  const described = answer === 500 ? 'answer 500' : 'break off';
  const step = await kit.offer({
    maxAttempts: 2,
    behaviour: {
      onRead: (attempt) => {
        if (step.attempts[0] !== attempt) return Promise.resolve(undefined);
        return repeatedReads(attempt) > mostReads ? 409 : answer;
      },
    },
  });
  const hasEnded = (): boolean => step.offer.end !== null;
  const readsAgain = (): boolean =>
    step.attempts[0] !== undefined && repeatedReads(step.attempts[0]) >= mostReads;
  const isRetried = (): boolean => step.attempts.length > 1;
  await kit.core.until(() => hasEnded() || readsAgain() || isRetried() || undefined, kit.timeoutMs);
  const [first] = step.attempts;
  if (first === undefined || first.reads.length === 0) return [];
  const isAlone = step.offer.attempts === 1 && hasSucceeded(step) && !readsAgain();
  if (first.outcome?.status === 'SUCCESS' || isAlone)
    return [failed(`no SUCCESS when the source and the inputs ${described}`, 'SUCCESS')];
  if (hasEnded() || readsAgain() || isRetried()) return [passed];
  const expected = `an activity that throws, or reads again, when the source and the inputs ${described}`;
  return [failed(expected, describeEnd(step, kit))];
}

function judgeFailing(step: OfferedStep, kit: ActivityKit): Finding {
  const expected =
    'an error, or FAILURE with a code and a message, when the failing source or config was given';
  const { end } = step.offer;
  const reported = reportedOutcome(step);
  if (reported === null && end?.kind === 'FAILED') return passed;
  if (reported?.status !== 'FAILURE')
    return failed(expected, hasSucceeded(step) ? 'SUCCESS' : describeEnd(step, kit));
  const { code, message } = reported.error ?? {};
  if (code !== undefined && message !== undefined) return passed;
  return failed(expected, `FAILURE without ${code === undefined ? 'a code' : 'a message'}`);
}

export const failureRules = [failureReported];
