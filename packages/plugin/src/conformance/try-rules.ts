import { setTimeout as wait } from 'node:timers/promises';
import type { Finding, Rule } from './rule.js';

/** A rule and the worker's result. */
export type RuleResult = Pick<Rule, 'name' | 'section'> & Finding;

/** Milliseconds to wait for messages after the last one: longer than the grace period and a pause of a second. */
const listenOnMs = 1_300;

/**
 * Checks a worker against rules, one after the other. Rules that decide at the end do so once all its messages have
 * arrived.
 */
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
