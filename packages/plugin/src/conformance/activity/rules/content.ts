import { maxResultBytes } from '../../../protocol/report.js';
import { failed, notApplicable, passed, type Rule } from '../../rule.js';
import { enlarge, findOversize } from '../../rules/content.js';
import { mebibytes } from '../../words.js';
import type { ActivityKit } from '../kit.js';
import { describeEnd, hasOutcome } from '../outcomes.js';

const oversizeContent: Rule<ActivityKit> = {
  name: 'oversize-content',
  section: 'large-contents',
  async run(kit) {
    if (!hasOutcome(await kit.ordinary())) return notApplicable('an ordinary step had no outcome');
    const step = await kit.settle({ material: enlarge(kit.material) });
    const { end } = step.offer;
    if (end?.kind === 'COMPLETED' && end.result.bytes > maxResultBytes)
      return failed('a result of at most 256 KiB; more is uploaded', mebibytes(end.result.bytes));
    const oversize = findOversize(step.attempts);
    if (oversize !== null) return oversize;
    if (!hasOutcome(step) || end?.kind === 'TIMED_OUT')
      return failed('an outcome for 5 MiB of text', describeEnd(step, kit));
    return step.attempts.some(({ uploads }) => uploads.size > 0)
      ? passed
      : notApplicable('it received 5 MiB of text, and produced nothing large');
  },
};

export const contentRules = [oversizeContent];
