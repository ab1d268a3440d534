import { interruptedType } from '@knowledge-warehouse/plugin/protocol';

export {
  contentTypes,
  interruptedType,
  sourceTypes,
  type ContentType,
  type SourceType,
} from '@knowledge-warehouse/plugin/protocol';

/** Where a resource is. PENDING: no pipeline matched when it was registered, nothing runs. */
export const resourceStatuses = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const;
export type ResourceStatus = (typeof resourceStatuses)[number];

/** Where a run is. It is PROCESSING from the commit that asks for it. */
export const runStatuses = ['PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const;
export type RunStatus = (typeof runStatuses)[number];
export type FinalStatus = Exclude<RunStatus, 'PROCESSING'>;

/** Where a step of a run is. RETRYING: an attempt failed and another one is to come. */
export const stepStatuses = ['PENDING', 'RUNNING', 'RETRYING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const;
export type StepStatus = (typeof stepStatuses)[number];

/** How an attempt was settled; an open attempt has no outcome. */
export const attemptOutcomes = ['SUCCESS', 'FAILURE', 'TIMED_OUT', 'CANCELLED', 'SUPERSEDED'] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];

export const pluginKinds = ['activity', 'http'] as const;
export type PluginKind = (typeof pluginKinds)[number];

/** What a step can wait for. `workflow`: the workflow task of its run keeps failing. */
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
  /** The index of the step that failed, or null where no step did. */
  readonly step: number | null;
}

/** The failure codes of Core's own; plugins add theirs. */
export const coreFailureCodes = [
  'STEP_TIMED_OUT',
  'HEARTBEAT_TIMED_OUT',
  'DELIVERY_FAILED',
  'DELIVERY_REJECTED',
  'INVALID_REPORT',
  'INVALID_RESULT',
  'PLUGIN_INACTIVE',
  'STEP_FAILED',
  'URL_NOT_ALLOWED',
  'URL_FETCH_FAILED',
  'WORKFLOW_TERMINATED',
  'WORKFLOW_TIMED_OUT',
  'WORKFLOW_FAILED',
] as const;

/** Types of failures that end an attempt without a fault of the plugin; the SDK throws the other two when an operator acts. */
export const interruptedTypes: ReadonlySet<string> = new Set([
  interruptedType,
  'ActivityReset',
  'ActivityPause',
]);

/** The type of the failure that refuses what no workflow of Core's own asks for, such as a run that nobody registered. */
export const refusedType = 'KW_REFUSED';
