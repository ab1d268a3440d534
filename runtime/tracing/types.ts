import type { WorkflowClientInterceptor } from '@temporalio/client';
import type { InjectedSinks, WorkerInterceptors } from '@temporalio/worker';

/** Tracing of a process, with the hooks for Temporal's clients and workers. */
export interface Tracing {
  readonly clientInterceptors: readonly WorkflowClientInterceptor[];
  readonly activityInterceptors: NonNullable<WorkerInterceptors['activity']>;
  /** The sinks through which the spans of workflows leave their sandbox. */
  // oxlint-disable-next-line typescript/no-explicit-any -- the SDK's own type for sinks of any kind
  readonly sinks: InjectedSinks<any>;
  /** Flushes the remaining spans, taking at most two seconds. Never throws. */
  stop(): Promise<void>;
}
