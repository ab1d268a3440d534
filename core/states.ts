import { interruptedType } from '@knowledge-warehouse/plugin/protocol';

export {
  contentTypes,
  interruptedType,
  sourceTypes,
  type ContentType,
  type SourceType,
} from '@knowledge-warehouse/plugin/protocol';

/** The status of a resource. PENDING: no pipeline matched at registration, so nothing runs. */
export const resourceStatuses = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const;
export type ResourceStatus = (typeof resourceStatuses)[number];

/** The status of a run. It is PROCESSING from the commit that requests it. */
export const runStatuses = ['PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const;
export type RunStatus = (typeof runStatuses)[number];
export type FinalStatus = Exclude<RunStatus, 'PROCESSING'>;

/** The status of a step. RETRYING: an attempt failed and another one follows. */
export const stepStatuses = ['PENDING', 'RUNNING', 'RETRYING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const;
export type StepStatus = (typeof stepStatuses)[number];

/** How an attempt was settled; an open attempt has no outcome. */
export const attemptOutcomes = ['SUCCESS', 'FAILURE', 'TIMED_OUT', 'CANCELLED', 'SUPERSEDED'] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];

export const pluginKinds = ['activity', 'http'] as const;
export type PluginKind = (typeof pluginKinds)[number];

/** What a step can wait for. `workflow`: its run's workflow keeps failing, or another program started it. */
export const waitingKinds = ['worker', 'callback', 'retry', 'fetch', 'room', 'paused', 'workflow'] as const;

/** What a step is waiting for. Times are ISO 8601. */
export interface WaitingFor {
  readonly kind: (typeof waitingKinds)[number];
  readonly until: string | null;
  readonly task_queue: string | null;
  readonly message: string;
}

export interface StepProgress {
  readonly fraction: number | null;
  readonly message: string | null;
}

export interface StepError {
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

export interface ResourceError {
  readonly code: string;
  readonly message: string;
  /** The index of the failed step, or null if no step failed. */
  readonly step: number | null;
}

/**
 * Failure types that end an attempt without the plugin being at fault. The SDK throws the other two when an
 * operator intervenes.
 */
export const interruptedTypes: ReadonlySet<string> = new Set([
  interruptedType,
  'ActivityReset',
  'ActivityPause',
]);

/** The failure type of a fetch that found the object store full. Unlike an outage, only a person can end it. */
export const storeFullType = 'STORAGE_FULL';

/**
 * The failure type for requests that do not come from one of Core's workflows, such as a run that does not
 * exist.
 */
export const refusedType = 'KW_REFUSED';
