import type { Kit } from './kit.js';

/** A worker's conformance to a rule. */
export type Finding =
  | { readonly status: 'passed' }
  | { readonly status: 'failed'; readonly expected: string; readonly seen: string }
  /** It keeps to the protocol, and costs more than it needs to. */
  | { readonly status: 'warning'; readonly expected: string; readonly seen: string }
  | { readonly status: 'not-applicable'; readonly reason: string };

export const passed: Finding = { status: 'passed' };
export const failed = (expected: string, seen: string): Finding => ({ status: 'failed', expected, seen });
export const warning = (expected: string, seen: string): Finding => ({ status: 'warning', expected, seen });
export const notApplicable = (reason: string): Finding => ({ status: 'not-applicable', reason });

/** One rule of the protocol between Core and its workers; `Kit`: what it tries them with. */
export interface Rule<Tools = Kit> {
  readonly name: string;
  /** The section of docs/plugins.md that says it, as the fragment of its address. */
  readonly section: Section;
  /** Whether it says something only of a worker that settles an ordinary step. */
  readonly needsOutcome?: boolean;
  /** Tries the worker. A function that it resolves to judges at the end, when all that a worker may send has come. */
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
