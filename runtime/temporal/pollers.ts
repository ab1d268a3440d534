import type { Connection } from '@temporalio/client';
import proto from '@temporalio/proto';
import { toDate } from './pending-activity.js';

const { TASK_QUEUE_TYPE_ACTIVITY } = proto.temporal.api.enums.v1.TaskQueueType;

/**
 * The pollers of a task queue. A live worker polls at least once a minute; the server forgets stopped workers after
 * some minutes.
 */
export interface Polling {
  /** Number of workers that polled within the last 90 s; some of them may have stopped since. */
  readonly pollers: number;
  /** Null if there was no poll for several minutes. */
  readonly lastPolledAt: Date | null;
}

const lastSeenMs = 90_000;

/**
 * Reads the pollers of a task queue for activities. Rejects if Temporal does not answer.
 *
 * @param now Temporal's current time, in milliseconds since 1970.
 */
export async function readPollers(
  connection: Connection,
  namespace: string,
  taskQueue: string,
  now: () => number,
): Promise<Polling> {
  const { pollers } = await connection.workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: TASK_QUEUE_TYPE_ACTIVITY,
  });
  const times = pollers.map((poller) => toDate(poller.lastAccessTime)?.getTime() ?? 0);
  const since = now() - lastSeenMs;
  const last = Math.max(0, ...times);
  return {
    pollers: times.filter((time) => time >= since).length,
    lastPolledAt: last === 0 ? null : new Date(last),
  };
}
