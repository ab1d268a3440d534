import type { Rule } from '../../rule.js';
import { reportValid, tokenUsed } from '../../rules/outcomes.js';
import { progressValid } from '../../rules/progress.js';
import type { ActivityKit } from '../kit.js';
import { claimRules } from './claims.js';
import { closingRules } from './closing.js';
import { contentRules } from './content.js';
import { failureRules } from './failures.js';
import { outcomeRules } from './outcomes.js';

/** All rules for activity workers, in the order in which they are checked. */
export const activityRules: readonly Rule<ActivityKit>[] = [
  ...outcomeRules,
  reportValid,
  tokenUsed,
  progressValid,
  ...claimRules,
  ...failureRules,
  ...contentRules,
  ...closingRules,
];
