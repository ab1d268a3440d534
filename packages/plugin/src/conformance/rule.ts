import type { Kit } from './kit.js';

/** The result of a rule for a worker. */
export type Finding =
  | { readonly status: 'passed' }
  | { readonly status: 'failed'; readonly expected: string; readonly seen: string }
  /** The worker follows the protocol, but is less efficient than it could be. */
  | { readonly status: 'warning'; readonly expected: string; readonly seen: string }
  | { readonly status: 'not-applicable'; readonly reason: string };

export const passed: Finding = { status: 'passed' };
export const failed = (expected: string, seen: string): Finding => ({ status: 'failed', expected, seen });
export const warning = (expected: string, seen: string): Finding => ({ status: 'warning', expected, seen });
export const notApplicable = (reason: string): Finding => ({ status: 'not-applicable', reason });

/** One rule of the protocol between Core and its workers; `Tools` is what it checks them with. */
export interface Rule<Tools = Kit> {
  readonly name: string;
  /** The section of docs/plugins.md that states the rule, as a URL fragment. */
  readonly section: Section;
  /** Whether it applies only to a worker that settles an ordinary step. */
  readonly needsOutcome?: boolean;
  /** Checks the worker. A returned function decides at the end, when all messages of the worker have arrived. */
  run(kit: Tools): Promise<Finding | (() => Finding)>;
}

export type Section =
  | 'the-protocol-of-http-workers'
  | 'the-protocol-of-activity-workers'
  | 'a-step'
  | 'reports'
  | 'large-contents'
  | 'a-cancellation'
  | 'cleaning-up';
