import type { WorkflowClientInterceptor } from '@temporalio/client';
import type { InjectedSinks, WorkerInterceptors } from '@temporalio/worker';

/** Traces of a process, and what makes Temporal's clients and workers take part in them. */
export interface Tracing {
  readonly clientInterceptors: readonly WorkflowClientInterceptor[];
  readonly activityInterceptors: NonNullable<WorkerInterceptors['activity']>;
  /** By which the spans of workflows leave their sandbox. */
  // oxlint-disable-next-line typescript/no-explicit-any -- the SDK's own type for sinks of any kind
  readonly sinks: InjectedSinks<any>;
  /** Flushes the remaining spans, for two seconds at most. Never throws. */
  stop(): Promise<void>;
}
