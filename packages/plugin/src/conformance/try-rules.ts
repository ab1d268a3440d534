import { setTimeout as wait } from 'node:timers/promises';
import type { Finding, Rule } from './rule.js';

/** A rule and whether the worker keeps it. */
export type RuleResult = Pick<Rule, 'name' | 'section'> & Finding;

/** How long after the last message the worker is listened to, in milliseconds: longer than the grace and a pause of a second. */
const listenOnMs = 1_300;

/** Tries a worker against rules, one after the other; those that judge at the end do so once all that it may send has come. */
export async function tryRules<Tools>(
  rules: readonly Rule<Tools>[],
  tryRule: (rule: Rule<Tools>) => ReturnType<Rule<Tools>['run']>,
  onRule: ((name: string) => void) | undefined,
): Promise<readonly RuleResult[]> {
  const judged: (() => RuleResult)[] = [];
  for (const rule of rules) {
    onRule?.(rule.name);
    const finding = await tryRule(rule);
    const { name, section } = rule;
    judged.push(() => ({ name, section, ...(typeof finding === 'function' ? finding() : finding) }));
  }
  await wait(listenOnMs);
  return judged.map((judge) => judge());
}
