import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { NativeConnection } from '@temporalio/worker';
import { endOf, type ActivityEnd, type HistoryEvent, type Task } from './ends.js';

/** An activity to offer to the workers of a task queue. */
export interface OfferedActivity {
  readonly taskQueue: string;
  readonly activityType: string;
  /** The activity's only argument. */
  readonly argument: object;
  readonly timeoutMs: number;
  readonly heartbeatSeconds: number | null;
  readonly maxAttempts: number;
}

/** An offered activity and its outcome. */
export interface Offer {
  readonly id: string;
  readonly activity: OfferedActivity;
  /** Null until it has ended. */
  end: ActivityEnd | null;
  /** Milliseconds since 1970. */
  endedAt: number | null;
  /** How often workers received it; known once it has ended. */
  attempts: number;
  /** When Temporal accepted the cancellation, in milliseconds since 1970. A worker learns of it at a heartbeat. */
  cancelledAt: number | null;
}

/** Offers activities to workers through Temporal, as Core's workflows do. */
export interface Offers {
  offer(activity: OfferedActivity): Promise<Offer>;
  cancel(offer: Offer): Promise<void>;
  /** Whether workers poll a task queue for activities. */
  isPolled(taskQueue: string): Promise<boolean>;
  /** Ends all open activities; no more can be offered. */
  close(): Promise<void>;
}

// From temporal.api.enums.v1: TaskQueueType and CommandType.
const activityQueue = 2;
const command = { scheduleActivity: 1, cancelActivity: 2, completeWorkflow: 4 } as const;

/** Returns the number of the attempt that an event started. */
const attemptOf = ({ activityTaskStartedEventAttributes: started }: HistoryEvent): number =>
  started?.attempt ?? 0;

const activityId = 'step';
const encoding = { encoding: Buffer.from('json/plain') };

/**
 * Offers each activity in a separate workflow whose few tasks are answered here, so that no workflow code has to be
 * bundled and every event of the activity is visible.
 *
 * @param onChange Called whenever the state of an offer changes.
 */
export function createOffers(connection: NativeConnection, namespace: string, onChange: () => void): Offers {
  const service = connection.workflowService;
  const taskQueue = { name: `kw-plugins-check-${randomUUID()}` };
  const identity = 'kw plugins check';
  const open = new Map<string, Offer>();
  let isClosed = false;

  async function answerTasks(): Promise<void> {
    while (!isClosed) {
      try {
        const task = await service.pollWorkflowTaskQueue({ namespace, taskQueue, identity });
        if (task.taskToken.length > 0) await answer(task);
      } catch {
        // Temporal repeats a task that was not answered.
        await wait(200);
      }
    }
  }

  async function answer({ taskToken, workflowExecution, history }: Task): Promise<void> {
    const offer = open.get(workflowExecution?.workflowId ?? '');
    if (offer === undefined) return;
    const events = history?.events ?? [];
    const end = endOf(events);
    const scheduled = events.find((event) => event.activityTaskScheduledEventAttributes);
    const isToCancel =
      events.some((event) => event.workflowExecutionCancelRequestedEventAttributes) &&
      !events.some((event) => event.activityTaskCancelRequestedEventAttributes);
    const commands =
      end !== null
        ? [{ commandType: command.completeWorkflow, completeWorkflowExecutionCommandAttributes: {} }]
        : scheduled === undefined
          ? [scheduleCommand(offer.activity)]
          : isToCancel
            ? [
                {
                  commandType: command.cancelActivity,
                  requestCancelActivityTaskCommandAttributes: { scheduledEventId: scheduled.eventId ?? null },
                },
              ]
            : [];
    await service.respondWorkflowTaskCompleted({ namespace, taskToken, identity, commands });
    if (isToCancel && end === null) offer.cancelledAt = Date.now();
    if (end !== null) {
      offer.end = end;
      offer.endedAt = Date.now();
      offer.attempts = Math.max(0, ...events.map(attemptOf));
      open.delete(offer.id);
    }
    onChange();
  }

  const answering = answerTasks();

  async function startWorkflow(workflowId: string): Promise<void> {
    await service.startWorkflowExecution({
      namespace,
      workflowId,
      workflowType: { name: 'kwPluginsCheck' },
      taskQueue,
      requestId: randomUUID(),
      identity,
    });
  }

  return {
    async offer(activity) {
      const id = `kw-plugins-check-${randomUUID()}`;
      const offer: Offer = { id, activity, end: null, endedAt: null, attempts: 0, cancelledAt: null };
      open.set(id, offer);
      await startWorkflow(id);
      return offer;
    },
    async cancel({ id }) {
      await service.requestCancelWorkflowExecution({
        namespace,
        workflowExecution: { workflowId: id },
        requestId: randomUUID(),
        identity,
      });
    },
    async isPolled(name) {
      const { pollers } = await service.describeTaskQueue({
        namespace,
        taskQueue: { name },
        taskQueueType: activityQueue,
      });
      return pollers.length > 0;
    },
    async close() {
      isClosed = true;
      // A poll lasts for a minute, and only a task ends it.
      const last = `kw-plugins-check-${randomUUID()}`;
      const isWoken = await startWorkflow(last).then(
        () => true,
        () => false,
      );
      if (isWoken) await answering;
      await Promise.allSettled(
        [...open.keys(), last].map((workflowId) =>
          service.terminateWorkflowExecution({ namespace, workflowExecution: { workflowId }, identity }),
        ),
      );
    },
  };
}

/** Converts milliseconds to a protocol buffers duration. */
const duration = (ms: number): { seconds: never; nanos: number } => ({
  // The type is Long, but integers are accepted too.
  seconds: Math.floor(ms / 1000) as never,
  nanos: Math.round((ms % 1000) * 1e6),
});

function scheduleCommand({
  taskQueue,
  activityType,
  argument,
  timeoutMs,
  heartbeatSeconds,
  maxAttempts,
}: OfferedActivity): object {
  const second = duration(1_000);
  return {
    commandType: command.scheduleActivity,
    scheduleActivityTaskCommandAttributes: {
      activityId,
      activityType: { name: activityType },
      taskQueue: { name: taskQueue },
      input: { payloads: [{ metadata: encoding, data: Buffer.from(JSON.stringify(argument)) }] },
      startToCloseTimeout: duration(timeoutMs),
      scheduleToCloseTimeout: duration(timeoutMs * maxAttempts + 10_000),
      ...(heartbeatSeconds !== null && { heartbeatTimeout: duration(heartbeatSeconds * 1_000) }),
      retryPolicy: {
        maximumAttempts: maxAttempts,
        initialInterval: second,
        maximumInterval: second,
        backoffCoefficient: 1,
      },
    },
  };
}
