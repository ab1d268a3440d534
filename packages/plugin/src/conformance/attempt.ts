import type { Report, SuccessReport, FailureReport } from '../protocol/report.js';
import type { StepMessage } from '../protocol/step.js';
import type { Material } from './material.js';

export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A report from the callback or from the answer to a step. */
export interface SeenReport {
  readonly via: 'callback' | 'answer';
  /** Time of arrival in milliseconds since 1970. */
  readonly at: number;
  readonly bytes: number;
  /** The parsed report; null if it is not valid. */
  readonly report: Report | null;
  /** Whether its status is PROGRESS, even if the report is invalid. */
  readonly claimsProgress: boolean;
  /** Why the report is invalid. */
  readonly faults: readonly string[];
  /** The bytes of the longest inline content. */
  readonly longestContent: number;
  /** The status of Core's answer; null for a report that was itself an answer. */
  readonly status: number | null;
}

/** The report that settles an attempt. */
export type Outcome = SuccessReport | FailureReport;

/** Unusual behaviour of Core for one attempt, requested by a rule. */
export interface Behaviour {
  /** Replaces Core's answer to a report; undefined keeps it. */
  readonly onReport?: (report: Report, attempt: Attempt) => Reply | undefined;
  /**
   * Awaited before the source or an input is served. If it resolves to a status, that is sent instead of the bytes; with
   * BROKEN, the connection breaks within them.
   */
  readonly onRead?: (attempt: Attempt) => Promise<undefined> | 404 | 409 | 500 | 'BROKEN';
}

/** An attempt that was or will be delivered to a worker: its message, and what the worker did. */
export interface Attempt {
  readonly message: StepMessage;
  readonly behaviour: Behaviour;
  /** The attempt's input. */
  readonly material: Material;
  readonly reports: SeenReport[];
  /** What was read, in order: `source`, or the id of an input. */
  readonly reads: string[];
  deliveries: number;
  readonly uploads: Map<string, { readonly type: string; readonly content_type: string }>;
  /** Uploads that Core refused, with the reason. */
  readonly refusedUploads: string[];
  /** The outcome that settled it. */
  outcome: Outcome | null;
  /** When the worker accepted it with 202, in milliseconds since 1970. */
  acceptedAt: number | null;
}

/** Whether a report settles its attempt. */
export function isOutcome(report: Report | null): report is Outcome {
  return report !== null && report.status !== 'PROGRESS';
}

/** Returns how often an attempt has read the content that it has read most often. */
export function repeatedReads({ reads }: Attempt): number {
  return Math.max(0, ...reads.map((content) => reads.filter((other) => other === content).length));
}

/** Creates an attempt of a step that has not been delivered. */
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

/** Returns all reports that would settle an attempt. */
export function outcomesOf(attempt: Attempt): SeenReport[] {
  return attempt.reports.filter(({ report }) => isOutcome(report));
}
