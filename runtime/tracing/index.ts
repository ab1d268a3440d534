import type { WorkflowClientInterceptor } from '@temporalio/client';
import type { InjectedSinks, WorkerInterceptors } from '@temporalio/worker';
import type { TracingConfig } from '../config.js';
import type { Logger } from '../logging.js';

/** Traces of a process, and what makes Temporal's clients and workers take part in them. */
export interface Tracing {
  readonly clientInterceptors: readonly WorkflowClientInterceptor[];
  readonly activityInterceptors: NonNullable<WorkerInterceptors['activity']>;
  /** By which the spans of workflows leave their sandbox. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the SDK's own type for sinks of any kind
  readonly sinks: InjectedSinks<any>;
  /** Sends what is left, for two seconds at most. Never throws. */
  stop(): Promise<void>;
}

/**
 * Begins to trace a process where an endpoint for traces is set. Where none is, nothing of OpenTelemetry's SDK is loaded
 * and every span in the code is a no-op.
 */
export async function startTracing(
  config: TracingConfig | null,
  processName: string,
  log: Logger,
): Promise<Tracing | null> {
  if (config === null) return null;
  const { createTracing } = await import('./provider.js');
  return createTracing(config, processName, log);
}
