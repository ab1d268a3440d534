import { isOutcome } from '../../attempt.js';
import { unavailable } from '../../replies.js';
import { failed, notApplicable, passed, type Rule } from '../../rule.js';
import type { ActivityKit } from '../kit.js';
import {
  describeEnd,
  describeSeveral,
  faultsOfResult,
  hasOutcome,
  hasSucceeded,
  reportedOutcome,
  returnedArtifacts,
} from '../outcomes.js';

const section = 'the-protocol-of-activity-workers';

const successReported: Rule<ActivityKit> = {
  name: 'success-reported',
  section,
  async run(kit) {
    const step = await kit.ordinary();
    if (hasSucceeded(step)) return passed;
    return failed(
      'SUCCESS for the source, the inputs and the config that were given (--source, --input, --config)',
      describeEnd(step, kit),
    );
  },
};

const resultValid: Rule<ActivityKit> = {
  name: 'result-valid',
  section,
  run: ({ steps }) =>
    Promise.resolve(() => {
      const ended = steps.flatMap((step) =>
        step.offer.end?.kind === 'COMPLETED' ? [{ step, result: step.offer.end.result }] : [],
      );
      if (ended.length === 0) return notApplicable('it returned nothing');
      const [fault] = ended.flatMap(({ step, result }) => faultsOfResult(result, step));
      return fault === undefined
        ? passed
        : failed('nothing, or {"artifacts": […]} of at most 256 KiB, as a report has them', fault);
    }),
};

const oneOutcome: Rule<ActivityKit> = {
  name: 'one-outcome',
  section,
  run: ({ steps }) =>
    Promise.resolve(() => {
      if (!steps.some((step) => reportedOutcome(step) !== null))
        return notApplicable('it reported nothing by the callback');
      const [several] = steps
        .filter(({ attempts }) => attempts.every(({ behaviour }) => behaviour.onReport === undefined))
        .map(describeSeveral)
        .filter((text) => text !== null);
      return several === undefined
        ? passed
        : failed('one outcome of an attempt: an activity that has reported returns nothing', several);
    }),
};

const concurrentSteps: Rule<ActivityKit> = {
  name: 'concurrent-steps',
  section,
  async run(kit) {
    if (!hasOutcome(await kit.ordinary())) return notApplicable('an ordinary step had no outcome');
    const steps = await Promise.all([1, 2, 3].map(() => kit.settle()));
    const unsettled = steps.find((step) => !hasOutcome(step));
    return unsettled === undefined
      ? passed
      : failed('an outcome for each of three concurrent steps', describeEnd(unsettled, kit));
  },
};

const reportRetried: Rule<ActivityKit> = {
  name: 'report-retried',
  section: 'reports',
  async run(kit) {
    if (reportedOutcome(await kit.ordinary()) === null)
      return notApplicable('its outcome is what the activity returns');
    let refusals = 0;
    const step = await kit.settle({
      behaviour: { onReport: (report) => (isOutcome(report) && refusals++ === 0 ? unavailable : undefined) },
    });
    if (reportedOutcome(step) !== null || returnedArtifacts(step).length > 0) return passed;
    // Temporal retries an activity that throws.
    if (step.offer.end?.kind === 'FAILED') return passed;
    return failed('the same report again after 503 with Retry-After: 1', describeEnd(step, kit));
  },
};

export const outcomeRules = [successReported, resultValid, oneOutcome, concurrentSteps, reportRetried];
