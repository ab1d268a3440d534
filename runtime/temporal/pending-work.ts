import type { Connection } from '@temporalio/client';
import { clip } from '@knowledge-warehouse/plugin/protocol';
import type { WorkflowDescription } from './describe-workflow.js';
import { toDate, type PendingActivity } from './pending-activity.js';

export interface PendingWork {
  readonly activities: readonly PendingActivity[];
  /** Its workflow task, if that fails repeatedly; otherwise null. */
  readonly failingTask: FailingTask | null;
  /** Whether its workflow task has been waiting for a worker for a while. */
  readonly taskWaits: boolean;
  /** What shows that another program started its workflow; otherwise null. */
  readonly foreign: string | null;
}

/** A workflow task that Temporal retries forever: the worker's code throws, blocks, or does not match the history. */
export interface FailingTask {
  readonly failures: number;
  /** Null if Temporal has not recorded one. */
  readonly reason: string | null;
}

/** A running worker takes a workflow task within milliseconds. */
const patienceMs = 2_000;

/** Whether no worker has taken a workflow task although it was scheduled seconds ago. */
export function isWaiting(task: WorkflowDescription['pendingWorkflowTask'], now: number): boolean {
  const scheduled = toDate(task?.originalScheduledTime);
  return scheduled !== null && toDate(task?.startedTime) === null && now - scheduled.getTime() > patienceMs;
}

/** A worker killed while working costs a task one or two attempts; only more of them indicate a permanent failure. */
const harmlessAttempts = 2;

export const isFailing = (attempts: number): boolean => attempts > harmlessAttempts;

/** Why the last workflow task failed. Temporal records the first failure of a task near the end of its history. */
export async function reasonOfFailing(
  connection: Connection,
  namespace: string,
  workflowId: string,
): Promise<string | null> {
  const { history } = await connection.workflowService.getWorkflowExecutionHistoryReverse({
    namespace,
    execution: { workflowId },
    maximumPageSize: 20,
  });
  const events = history?.events ?? [];
  const failed = events.find((event) => event.workflowTaskFailedEventAttributes);
  const message = failed?.workflowTaskFailedEventAttributes?.failure?.message;
  return message ? clip(message, 500) : null;
}
