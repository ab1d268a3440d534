import { randomUUID } from 'node:crypto';
import type { Connection } from '@temporalio/client';
import proto from '@temporalio/proto';

const { TASK_QUEUE_TYPE_ACTIVITY: taskQueueType } = proto.temporal.api.enums.v1.TaskQueueType;

const taskQueue = { name: 'kw-doctor' };
/**
 * Temporal answers a poll one second before its deadline, so it is never cut off; polls with less than that are
 * rejected.
 */
const pollMs = 3_000;

/**
 * Temporal's current time; null if it is unavailable. No API call returns the time, but Temporal records when a task
 * queue was polled, so this polls a queue that never has tasks. Rejects with the server's error.
 */
export async function readTemporalClock(connection: Connection, namespace: string): Promise<Date | null> {
  const identity = `kw-doctor@${randomUUID()}`;
  const { workflowService } = connection;
  await connection.withDeadline(Date.now() + pollMs, () =>
    workflowService.pollActivityTaskQueue({ namespace, taskQueue, identity }),
  );
  const { pollers } = await connection.withDeadline(Date.now() + 5_000, () =>
    workflowService.describeTaskQueue({ namespace, taskQueue, taskQueueType }),
  );
  const time = pollers.find((poller) => poller.identity === identity)?.lastAccessTime;
  return time == null ? null : new Date(Number(time.seconds) * 1000 + (time.nanos ?? 0) / 1e6);
}
