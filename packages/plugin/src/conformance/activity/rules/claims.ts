import { unavailable } from '../../replies.js';
import { failed, notApplicable, passed, type Rule } from '../../rule.js';
import type { ActivityKit } from '../kit.js';
import { describeEnd, hasSucceeded, returnedArtifacts } from '../outcomes.js';

const section = 'the-protocol-of-activity-workers';

const attemptClaimed: Rule<ActivityKit> = {
  name: 'attempt-claimed',
  section,
  run: ({ steps }) =>
    Promise.resolve(() => {
      if (steps.every(({ claims }) => claims.length === 0)) return notApplicable('it claims nothing');
      for (const { message, offer, claims } of steps) {
        const { attempt_base: used } = message;
        // The number of attempts is known once the activity has ended.
        const most = offer.end === null ? offer.activity.maxAttempts : offer.attempts;
        const expected = Array.from({ length: most }, (_, index) => used + index + 1);
        const last = offer.end === null || offer.attempts === 0 ? undefined : used + offer.attempts;
        const wrong = claims.find((number) => !expected.includes(number as number));
        // An attempt that timed out or was cancelled may have ended before its worker could claim it.
        const endedItself = offer.end?.kind === 'COMPLETED' || offer.end?.kind === 'FAILED';
        const isLate = last !== undefined && endedItself && claims.length > 0 && !claims.includes(last);
        if (wrong === undefined && !isLate) continue;
        return failed(
          `the number ${last ?? expected.join(' or ')}: attempt_base (${used}) plus Temporal's attempt`,
          JSON.stringify(wrong ?? claims.at(-1)),
        );
      }
      return passed;
    }),
};

const settledRespected: Rule<ActivityKit> = {
  name: 'settled-respected',
  section,
  async run(kit) {
    if ((await kit.ordinary()).claims.length === 0) return notApplicable('it claims nothing');
    const step = await kit.settle({ onClaim: () => ({ status: 200, body: { settled: true } }) });
    const expected =
      'an activity that returns at once, with nothing, when its claim is answered {"settled": true}';
    const { end } = step.offer;
    if (end === null) return failed(expected, 'it did not end');
    if (end.kind === 'FAILED') return failed(expected, `it threw ${end.type || 'an error'}: ${end.message}`);
    if (end.kind !== 'COMPLETED') return failed(expected, 'it timed out');
    return returnedArtifacts(step).length === 0 ? passed : failed(expected, 'artifacts');
  },
};

const claimRepeated: Rule<ActivityKit> = {
  name: 'claim-repeated',
  section,
  async run(kit) {
    if ((await kit.ordinary()).claims.length === 0) return notApplicable('it claims nothing');
    let refusals = 0;
    const step = await kit.settle({ onClaim: () => (refusals++ === 0 ? unavailable : undefined) });
    if (step.claims.length > 1) return passed;
    const seen = hasSucceeded(step) ? 'SUCCESS' : describeEnd(step, kit);
    return failed('the same claim again after 503 with Retry-After: 1', seen);
  },
};

export const claimRules = [attemptClaimed, settledRespected, claimRepeated];
