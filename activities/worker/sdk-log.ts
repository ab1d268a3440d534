import { DefaultLogger, type LogLevel, type Logger as SdkLogger } from '@temporalio/worker';
import type { Logger } from '../../runtime/logging/logger.js';

const levels: Record<LogLevel, 'trace' | 'debug' | 'info' | 'warn' | 'error'> = {
  TRACE: 'trace',
  DEBUG: 'debug',
  INFO: 'info',
  WARN: 'warn',
  ERROR: 'error',
};

/** Maps the SDK's names to ours. Null: dropped, because the value could be used to end an activity. */
const names: Readonly<Record<string, string | null>> = {
  workflowId: 'workflow_id',
  workflowType: 'workflow_type',
  workflowRunId: 'temporal_run_id',
  runId: 'temporal_run_id',
  taskQueue: 'task_queue',
  activityId: 'activity_id',
  activityType: 'activity_type',
  isLocal: 'is_local',
  taskToken: null,
  error: 'err',
};

/** SDK warnings about an intended setup: the workers of some task queues have no workflows. */
const isMeant = (message: string): boolean => message.startsWith('No workflows registered');

/** Converts log entries of the SDK and of workflow code to lines of the process's log, with its names. */
export function createSdkLogger(log: Logger): SdkLogger {
  return new DefaultLogger('INFO', ({ level, message, meta = {} }) => {
    const { sdkComponent, ...attributes } = meta as Record<string, unknown>;
    const fields = Object.entries(attributes).flatMap(([name, value]) => {
      const ours = name in names ? names[name] : name;
      return ours == null ? [] : [[ours, value] as const];
    });
    const bySdk = sdkComponent === 'workflow' ? {} : { sdk: true };
    log[isMeant(message) ? 'debug' : levels[level]]({ ...Object.fromEntries(fields), ...bySdk }, message);
  });
}
