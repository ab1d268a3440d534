import type { Report, SuccessReport, FailureReport } from '../protocol/report.js';
import type { StepMessage } from '../protocol/step.js';
import type { Material } from './material.js';

/** Core's answer to a worker's request. */
export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A report as it came, by the callback or as the answer to a step. */
export interface SeenReport {
  readonly via: 'callback' | 'answer';
  /** When it came, in milliseconds since 1970. */
  readonly at: number;
  readonly bytes: number;
  /** The parsed report; null if it is not valid. */
  readonly report: Report | null;
  /** Whether its status is PROGRESS, be the rest as it may. */
  readonly claimsProgress: boolean;
  /** What is wrong with it. */
  readonly faults: readonly string[];
  /** Of the contents that stand in it, the bytes of the longest. */
  readonly longestContent: number;
  /** The status it was answered with; null for a report that was itself an answer. */
  readonly status: number | null;
}

/** The report that settles an attempt. */
export type Outcome = SuccessReport | FailureReport;

/** Unusual behaviour of Core for one attempt, requested by a rule. */
export interface Behaviour {
  /** Answers a report in place of what Core would answer; undefined leaves it to Core. */
  readonly onReport?: (report: Report, attempt: Attempt) => Reply | undefined;
  /** Is waited for before the source or an input is answered; a status in place of the bytes when it resolves to one. */
  readonly onRead?: (attempt: Attempt) => Promise<undefined> | 404 | 409 | 500;
}

/** An attempt that a worker was given or will be given: its message and what it did. */
export interface Attempt {
  readonly message: StepMessage;
  readonly behaviour: Behaviour;
  /** What it is about. */
  readonly material: Material;
  readonly reports: SeenReport[];
  /** When the source and the inputs were read. */
  readonly reads: number[];
  /** How often it was delivered. */
  deliveries: number;
  readonly uploads: Map<
    string,
    { readonly type: string; readonly content_type: string; readonly bytes: number }
  >;
  /** Uploads that Core refused, and why. */
  readonly refusedUploads: string[];
  /** What settled it. */
  outcome: Outcome | null;
  /** When the worker answered 202 to it, in milliseconds since 1970. */
  acceptedAt: number | null;
}

/** Whether a report settles its attempt. */
export function isOutcome(report: Report | null): report is Outcome {
  return report !== null && report.status !== 'PROGRESS';
}

/** An attempt of a step that has not been given to a worker. */
export function newAttempt(message: StepMessage, material: Material, behaviour: Behaviour = {}): Attempt {
  return {
    message,
    behaviour,
    material,
    reports: [],
    reads: [],
    deliveries: 0,
    uploads: new Map(),
    refusedUploads: [],
    outcome: null,
    acceptedAt: null,
  };
}

/** The reports that would settle an attempt, all of them. */
export function outcomesOf(attempt: Attempt): SeenReport[] {
  return attempt.reports.filter(({ report }) => isOutcome(report));
}
