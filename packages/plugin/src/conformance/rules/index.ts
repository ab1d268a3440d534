import type { Rule } from '../rule.js';
import { closingRules } from './closing.js';
import { contentRules } from './content.js';
import { deliveryRules } from './delivery.js';
import { failureRules } from './failures.js';
import { outcomeRules } from './outcomes.js';
import { progressRules } from './progress.js';
import { signatureRules } from './signatures.js';

/** All rules, in the order in which they are checked. */
export const rules: readonly Rule[] = [
  ...signatureRules,
  ...outcomeRules,
  ...failureRules,
  ...progressRules,
  ...deliveryRules,
  ...closingRules,
  ...contentRules,
];
