import { randomUUID } from 'node:crypto';
import type { Connection } from '@temporalio/client';
import proto from '@temporalio/proto';

const { TASK_QUEUE_TYPE_ACTIVITY: taskQueueType } = proto.temporal.api.enums.v1.TaskQueueType;

const taskQueue = { name: 'kw-doctor' };
/** Temporal answers a poll a second before its deadline, so nothing is broken off; it refuses one that has no longer. */
const pollMs = 3_000;

/**
 * The time by Temporal's clock; null where it does not tell. No call of its API answers with the time, but it notes when
 * a task queue was polled: this polls a queue that never has a task. Rejects with the server's error.
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
