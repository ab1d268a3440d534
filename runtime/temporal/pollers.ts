import type { Connection } from '@temporalio/client';
import proto from '@temporalio/proto';

const { TASK_QUEUE_TYPE_ACTIVITY } = proto.temporal.api.enums.v1.TaskQueueType;

/** A worker asks for work at least once a minute. */
const lastSeenMs = 90_000;

/**
 * The number of processes that recently polled a task queue for activities. Rejects if Temporal does not answer.
 *
 * @param now Temporal's current time, in milliseconds since 1970.
 */
export async function countQueuePollers(
  connection: Connection,
  namespace: string,
  taskQueue: string,
  now: number,
): Promise<number> {
  const { pollers } = await connection.withDeadline(Date.now() + 5_000, () =>
    connection.workflowService.describeTaskQueue({
      namespace,
      taskQueue: { name: taskQueue },
      taskQueueType: TASK_QUEUE_TYPE_ACTIVITY,
    }),
  );
  const since = now - lastSeenMs;
  return pollers.filter(({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) * 1_000 >= since).length;
}
