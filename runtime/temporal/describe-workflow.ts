import { status } from '@grpc/grpc-js';
import { isGrpcServiceError, type Connection } from '@temporalio/client';
import proto from '@temporalio/proto';
import { clip } from '@knowledge-warehouse/plugin/protocol';
import { coreTaskQueue } from '../../core/runs/run-protocol.js';
import { isNamespaceMissing } from './errors.js';
import { toDate } from './pending-activity.js';

const { WorkflowExecutionStatus } = proto.temporal.api.enums.v1;

/** Temporal's description of a workflow, without decoding what its starter encoded. */
export type WorkflowDescription = Pick<
  proto.temporal.api.workflowservice.v1.IDescribeWorkflowExecutionResponse,
  'workflowExecutionInfo' | 'pendingActivities' | 'pendingWorkflowTask'
>;

/**
 * Describes a workflow; null if Temporal knows none with this id. `describe()` of the SDK also decodes the memo, and
 * throws if another program started the workflow with a memo that it cannot read.
 */
export async function describeWorkflow(
  connection: Connection,
  namespace: string,
  workflowId: string,
): Promise<WorkflowDescription | null> {
  try {
    return await connection.workflowService.describeWorkflowExecution({
      namespace,
      execution: { workflowId },
    });
  } catch (error) {
    if (isGrpcServiceError(error) && error.code === status.NOT_FOUND && !isNamespaceMissing(error))
      return null;
    throw error;
  }
}

export const isRunning = ({ workflowExecutionInfo }: WorkflowDescription): boolean =>
  workflowExecutionInfo?.status === WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING;

/** Core delays no start; the server delays a continuation by about a second. */
const longestDelayMs = 60_000;

/** What shows that another program started a workflow with an id of Core's; null if nothing does. */
export function whyForeign(
  { workflowExecutionInfo: info }: WorkflowDescription,
  expectedType: string,
): string | null {
  // A server may leave out the task queue.
  const queue = info?.taskQueue || coreTaskQueue;
  if (queue !== coreTaskQueue) return `its task queue is ${clip(queue, 200)} instead of ${coreTaskQueue}`;
  const type = info?.type?.name || expectedType;
  if (type !== expectedType) return `its type is ${clip(type, 200)} instead of ${expectedType}`;
  const begins = toDate(info?.executionTime);
  const started = toDate(info?.startTime);
  // Both are times of the server, so that no other clock matters.
  if (begins === null || started === null || begins.getTime() - started.getTime() <= longestDelayMs)
    return null;
  return `its start was delayed until ${begins.toISOString()}`;
}

/** OPEN: running. ENDED: completed, failed or cancelled. UNKNOWN: Temporal has no such workflow. */
export type RunWorkflowStatus = 'OPEN' | 'ENDED' | 'TERMINATED' | 'TIMED_OUT' | 'UNKNOWN';

export function runStatusOf(described: WorkflowDescription | null): RunWorkflowStatus {
  if (described === null) return 'UNKNOWN';
  switch (described.workflowExecutionInfo?.status) {
    case WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_TERMINATED:
      return 'TERMINATED';
    case WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_TIMED_OUT:
      return 'TIMED_OUT';
    case WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED:
    case WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_FAILED:
    case WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_CANCELED:
      return 'ENDED';
    default:
      return 'OPEN';
  }
}
