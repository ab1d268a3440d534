import { status } from '@grpc/grpc-js';
import { isGrpcServiceError, type Connection } from '@temporalio/client';
import proto from '@temporalio/proto';
import { coreTaskQueue } from '../../core/runs/run-protocol.js';

const { WorkflowExecutionStatus } = proto.temporal.api.enums.v1;

/** Temporal's description of a workflow; nothing that the starter of the workflow encoded has been decoded. */
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

/** The task queue of a workflow if it is not Core's, since another program started it; otherwise null. */
export function foreignQueueOf({ workflowExecutionInfo }: WorkflowDescription): string | null {
  const queue = workflowExecutionInfo?.taskQueue ?? coreTaskQueue;
  return queue === coreTaskQueue ? null : queue;
}

/** OPEN: running. ENDED: completed, failed or cancelled. UNKNOWN: Temporal has no such workflow. */
export type RunWorkflowStatus = 'OPEN' | 'ENDED' | 'TERMINATED' | 'TIMED_OUT' | 'UNKNOWN';

/** The status of a run by the description of its workflow. */
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

/** Temporal uses the same code for a missing namespace, and names the difference in the details of the error. */
function isNamespaceMissing({ metadata }: { readonly metadata: { get(key: string): unknown[] } }): boolean {
  return metadata
    .get('grpc-status-details-bin')
    .some((details) => String(details).includes('NamespaceNotFoundFailure'));
}
