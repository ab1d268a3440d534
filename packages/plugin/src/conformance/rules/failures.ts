import { repeatedReads, type Attempt } from '../attempt.js';
import type { Delivery, Kit } from '../kit.js';
import { failed, notApplicable, passed, type Finding, type Rule } from '../rule.js';
import { describeSettlement } from '../words.js';

const failureReported: Rule = {
  name: 'failure-reported',
  section: 'reports',
  needsOutcome: true,
  async run(kit) {
    const gone = kit.attempt({ onRead: () => 404 });
    await kit.deliver(gone);
    const findings = await judgeBrokenReads(kit);
    for (const material of kit.failing) {
      const delivery = await kit.settle(kit.attempt({}, material));
      findings.push(judgeFailure(delivery, kit, 'the failing source or config was given'));
    }
    return () => {
      // After the resource was deleted, no report is expected, and a success is wrong.
      if (gone.reads.length > 0 && gone.outcome?.status === 'SUCCESS')
        return failed('no SUCCESS when the source and the inputs answer 404', 'SUCCESS');
      if (findings.length === 0)
        return notApplicable('it reads neither source nor inputs; give --failing-source or --failing-config');
      return findings.find(({ status }) => status === 'failed') ?? passed;
    };
  },
};

/** How often a content that answers 500 may be read before its attempt is closed. */
const mostReads = 2;

/**
 * Answers 500 to reads of the source and the inputs. Later reads could succeed, so reading again is as good as FAILURE.
 * Returns no findings for a worker that reads neither.
 */
async function judgeBrokenReads(kit: Kit): Promise<Finding[]> {
  const attempt = kit.attempt({ onRead: (read) => (repeatedReads(read) > mostReads ? 409 : 500) });
  const answer = await kit.deliver(attempt);
  const isOver = (): boolean => attempt.outcome !== null || readsAgain(attempt);
  if (answer.status === 202) await kit.core.until(() => isOver() || undefined, kit.timeoutMs);
  if (attempt.reads.length === 0) return [];
  if (readsAgain(attempt)) return [passed];
  return [judgeFailure({ attempt, answer }, kit, 'the source and the inputs answer 500')];
}

const readsAgain = (attempt: Attempt): boolean =>
  attempt.outcome === null && repeatedReads(attempt) >= mostReads;

function judgeFailure({ attempt, answer }: Delivery, kit: Kit, cause: string): Finding {
  const expected = `FAILURE with a code and a message when ${cause}`;
  const { outcome } = attempt;
  if (answer.status >= 400) return passed;
  if (outcome?.status !== 'FAILURE') return failed(expected, describeSettlement({ attempt, answer }, kit));
  const { code, message } = outcome.error ?? {};
  if (code !== undefined && message !== undefined) return passed;
  return failed(expected, `FAILURE without ${code === undefined ? 'a code' : 'a message'}`);
}

export const failureRules = [failureReported];
