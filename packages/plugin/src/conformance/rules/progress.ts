import type { Attempt } from '../attempt.js';
import type { Kit } from '../kit.js';
import { failed, notApplicable, passed, type Rule } from '../rule.js';
import { seconds } from '../words.js';

const section = 'a-step';

export const progressValid: Rule<Pick<Kit, 'core'>> = {
  name: 'progress-valid',
  section,
  run: ({ core }) =>
    Promise.resolve(() => {
      const reports = core.attempts
        .flatMap((attempt) => attempt.reports)
        .filter(({ claimsProgress }) => claimsProgress);
      if (reports.length === 0) return notApplicable('it sent no PROGRESS');
      const faulty = reports.find(({ faults }) => faults.length > 0);
      if (faulty === undefined) return passed;
      return failed('a fraction from 0 to 1 and a message, both optional', faulty.faults.join('; '));
    }),
};

const heartbeatsKept: Rule = {
  name: 'heartbeats-kept',
  section,
  run: ({ core, heartbeatSeconds }) =>
    Promise.resolve(() => {
      if (heartbeatSeconds === undefined)
        return notApplicable('give the --heartbeat-seconds that the plugin is registered with');
      const attempts = core.attempts.filter(
        ({ acceptedAt, outcome, behaviour }) =>
          acceptedAt !== null && outcome !== null && behaviour.onReport === undefined,
      );
      if (attempts.length === 0) return notApplicable('no step was answered 202 and reported later');
      const longest = Math.max(...attempts.map(longestSilence));
      if (longest <= heartbeatSeconds * 1000) return passed;
      return failed(
        `PROGRESS or an outcome at least every ${heartbeatSeconds} s from the 202 on`,
        `silence for ${seconds(longest)}`,
      );
    }),
};

/** Returns the longest silence in milliseconds, from the 202 to the outcome. */
function longestSilence({ acceptedAt, reports }: Attempt): number {
  const last = reports.findIndex(({ report, status }) => report?.status !== 'PROGRESS' && status === 200);
  const times = [acceptedAt ?? 0, ...reports.slice(0, last + 1).map(({ at }) => at)];
  return Math.max(...times.slice(1).map((at, index) => at - (times[index] ?? at)));
}

export const progressRules = [progressValid, heartbeatsKept];
