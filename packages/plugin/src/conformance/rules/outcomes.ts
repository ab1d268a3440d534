import type { Kit } from '../kit.js';
import { failed, notApplicable, passed, type Rule } from '../rule.js';
import { describeSettlement } from '../words.js';

const answersInForm: Rule = {
  name: 'answers-in-form',
  section: 'a-step',
  async run(kit) {
    const { attempt, answer } = await kit.ordinary();
    const expected = '200 with a SUCCESS or FAILURE report, or 202';
    if (answer.status === 202) return passed;
    if (answer.status === 401 || answer.status === 403)
      return failed(expected, `${answer.status}: is --secret the one that the worker was started with?`);
    if (answer.status !== 200) return failed(expected, String(answer.status));
    if (attempt.outcome !== null) return passed;
    return failed(
      expected,
      `200 without such a report: ${attempt.reports[0]?.faults.join('; ') || 'PROGRESS'}`,
    );
  },
};

const successReported: Rule = {
  name: 'success-reported',
  section: 'reports',
  async run(kit) {
    const { attempt, answer } = await kit.ordinary();
    if (attempt.outcome?.status === 'SUCCESS') return passed;
    return failed(
      'SUCCESS for the source, the inputs and the config that were given (--source, --input, --config)',
      describeSettlement({ attempt, answer }, kit),
    );
  },
};

export const reportValid: Rule<Pick<Kit, 'core'>> = {
  name: 'report-valid',
  section: 'reports',
  run: ({ core }) =>
    Promise.resolve(() => {
      const reports = core.attempts.flatMap((attempt) => attempt.reports);
      if (reports.length === 0) return notApplicable('it reported nothing');
      const faulty = reports.find(({ claimsProgress, faults }) => !claimsProgress && faults.length > 0);
      if (faulty === undefined) return passed;
      return failed('a report that matches the OpenAPI document', faulty.faults.join('; '));
    }),
};

export const tokenUsed: Rule<Pick<Kit, 'core'>> = {
  name: 'token-used',
  section: 'a-step',
  run: ({ core }) =>
    Promise.resolve(() => {
      const [stray] = core.strays;
      if (stray !== undefined)
        return failed(
          "every request to Core's URLs carries the callback token of its attempt",
          `${stray.request}: ${stray.fault}`,
        );
      const called = core.attempts.some(
        ({ reads, reports }) => reads.length > 0 || reports.some(({ via }) => via === 'callback'),
      );
      return called ? passed : notApplicable('it sent no request to Core');
    }),
};

const concurrentSteps: Rule = {
  name: 'concurrent-steps',
  section: 'a-step',
  needsOutcome: true,
  async run(kit) {
    const deliveries = await Promise.all([1, 2, 3].map(() => kit.settle(kit.attempt())));
    const unsettled = deliveries.find(({ attempt }) => attempt.outcome === null);
    if (unsettled === undefined) return passed;
    return failed('an outcome for each of three concurrent steps', describeSettlement(unsettled, kit));
  },
};

export const outcomeRules = [answersInForm, successReported, reportValid, tokenUsed, concurrentSteps];
