import type { WaitingFor } from '../../core/states.js';
import { waitingForRoom } from '../../core/documents/reading.js';
import { callingQueues, coreTaskQueue, isSlotQueue, polledQueue } from '../../core/runs/run-protocol.js';
import { errorOf, type PendingActivity } from '../../runtime/temporal/pending-activity.js';
import type { FailingTask } from '../../runtime/temporal/pending-work.js';
import type { Polling } from '../../runtime/temporal/pollers.js';
import type { WorkflowClient } from '../../runtime/temporal/workflow-client.js';
import type { Resource } from '../../storage/resources/resources.js';
import type { Step } from '../../storage/runs/runs.js';
import { describePolling } from './polling-messages.js';

/** Milliseconds that Temporal has for both questions together. */
const patienceMs = 300;
const freshMs = 1_000;
const mostKept = 1_000;

/** A snapshot of what Temporal knows about a run. */
interface Sighting {
  /** Null: Temporal did not answer, or does not know the run. */
  readonly activities: readonly PendingActivity[] | null;
  readonly failingTask: FailingTask | null;
  /** Whether its workflow waits for a worker, so that the rows may be out of date. */
  readonly taskWaits: boolean;
  /** What shows that another program started its workflow; otherwise null. */
  readonly foreign: string | null;
  /** Who polls the queue of what is waited for; null: unknown. */
  readonly polling: Polling | null;
  /** Why the run could not be sent to Temporal; null: it was sent, or has not been tried yet. */
  readonly unsent: string | null;
}

/**
 * Returns the steps of a PROCESSING run with what Temporal knows about them, or the rows alone if it does not answer.
 */
export type LiveSteps = (resource: Resource, steps: readonly Step[]) => Promise<readonly Step[]>;

/** Asks Temporal, and why a start could not be sent, at most once a second per run. */
export function createLiveSteps(
  workflows: Pick<WorkflowClient, 'pendingWork' | 'readPolling'>,
  unsentStartError: (resourceId: string, run: number) => Promise<string | null>,
): LiveSteps {
  const seen = new Map<string, { readonly at: number; readonly sighting: Promise<Sighting> }>();

  const look = async ({ id, run }: Resource, step: Step): Promise<Sighting> => {
    const end = performance.now() + patienceMs;
    const [work, unsent] = await Promise.all([
      workflows.pendingWork(id, run, patienceMs),
      step.status === 'PENDING' ? unsentStartError(id, run) : null,
    ]);
    const { activities = null, failingTask = null, taskWaits = false, foreign = null } = work ?? {};
    const activity = activityOf(step, activities);
    const queue = taskWaits && activity === undefined ? coreTaskQueue : queueOf(step, activity);
    const leftMs = end - performance.now();
    const polling = leftMs > 0 ? await workflows.readPolling(polledQueue(queue), leftMs) : null;
    return { activities, failingTask, taskWaits, foreign, polling, unsent };
  };

  return async (resource, steps) => {
    const current = steps.find((step) => step.status !== 'COMPLETED');
    if (resource.status !== 'PROCESSING' || current === undefined) return steps;
    const key = `${resource.id} ${resource.run} ${current.index} ${current.status} ${current.attempt_base}`;
    let kept = seen.get(key);
    if (kept === undefined || performance.now() - kept.at > freshMs) {
      kept = { at: performance.now(), sighting: look(resource, current) };
      seen.delete(key);
      seen.set(key, kept);
      // A map keeps insertion order, so the first entry is the oldest.
      for (const oldest of seen.keys()) if (seen.size > mostKept) seen.delete(oldest);
    }
    const sighting = await kept.sighting;
    return steps.map((step) => (step === current ? mergeSighting(step, sighting) : step));
  };
}

/** Merges a step's row with Temporal's view of its activity. */
export function mergeSighting(step: Step, sighting: Sighting): Step {
  const { activities, failingTask, taskWaits, foreign, polling } = sighting;
  if (foreign !== null) return { ...step, waiting_for: waitingForForeign(foreign) };
  if (failingTask !== null) return { ...step, waiting_for: waitingForWorkflow(failingTask) };
  const activity = activityOf(step, activities);
  if (activity === undefined) {
    if (taskWaits) return { ...step, waiting_for: waitingForWorker(coreTaskQueue, polling) };
    const unrecorded = step.status === 'PENDING' ? null : waitingToRecord(activities);
    if (unrecorded !== null) return { ...step, waiting_for: unrecorded };
    const unexplained = step.status === 'PENDING' && step.waiting_for === null;
    return unexplained ? { ...step, waiting_for: waitingToBegin(sighting) } : step;
  }
  const waiting = waitingFor(activity, queueOf(step, activity), polling);
  if (step.status === 'PENDING') {
    const fetching = waiting?.kind === 'retry' ? { ...waiting, kind: 'fetch' as const } : waiting;
    return { ...step, waiting_for: fetching ?? step.waiting_for };
  }
  return {
    ...step,
    attempt: attemptOf(step, activity),
    status: waiting?.kind === 'retry' ? 'RETRYING' : 'RUNNING',
    waiting_for: activity.state === 'OTHER' ? step.waiting_for : waiting,
    error: step.error ?? errorOf(activity),
  };
}

/**
 * Returns the number of a step's newest attempt. In a pause, Temporal counts the attempt that follows it. If the row
 * has no attempt after its base but the activity was retried, the run is about to replace that activity, which counts
 * from an older base.
 */
function attemptOf({ attempt, attempt_base: base }: Step, activity: PendingActivity): number {
  const isReplaced = attempt <= base && activity.attempt > 1;
  if (isReplaced) return attempt;
  const newest = activity.nextAttemptAt === null ? activity.attempt : Math.max(1, activity.attempt - 1);
  return Math.max(attempt, base + newest);
}

/**
 * Returns a step's activity. Before its first step, a run's activity fetches the source. Core's own workers deliver
 * HTTP steps.
 */
function activityOf(step: Step, activities: Sighting['activities']): PendingActivity | undefined {
  const type =
    step.status === 'PENDING' ? 'fetchSource' : step.kind === 'http' ? 'deliverStep' : step.activity_type;
  return activities?.find(({ activityType, state }) => activityType === type && state !== 'CANCELLING');
}

/**
 * Returns the queue in which a step waits for a worker: its activity's queue, or else the one its plugin registered.
 */
function queueOf(step: Step, activity: PendingActivity | undefined): string {
  if (activity?.taskQueue) return activity.taskQueue;
  if (step.status === 'PENDING') return callingQueues.sources;
  return step.kind === 'http' ? callingQueues.plugins : (step.task_queue ?? coreTaskQueue);
}

function waitingFor(activity: PendingActivity, queue: string, polling: Polling | null): WaitingFor | null {
  if (activity.state === 'PAUSED') return paused;
  if (activity.nextAttemptAt !== null) {
    const error = errorOf(activity);
    const failure = error === null ? '' : ` The last attempt failed: ${error.message}`;
    return {
      kind: 'retry',
      until: activity.nextAttemptAt.toISOString(),
      task_queue: null,
      message: `The next attempt starts after a pause.${failure}`,
    };
  }
  if (activity.state !== 'SCHEDULED') return null;
  return isSlotQueue(queue) && polling?.pollers !== 0
    ? waitingForRoom(queue)
    : waitingForWorker(polledQueue(queue), polling);
}

/**
 * Describes a step whose activity has ended, while the run repeatedly fails to record that. Null: nothing has failed.
 */
function waitingToRecord(activities: Sighting['activities']): WaitingFor | null {
  const recording = activities?.find(({ activityType }) => activityType === 'advanceRun');
  if (!recording?.lastFailure) return null;
  return {
    kind: 'retry',
    until: recording.nextAttemptAt?.toISOString() ?? null,
    task_queue: null,
    message: `The result cannot be recorded: ${recording.lastFailure.message}`,
  };
}

const paused: WaitingFor = {
  kind: 'paused',
  until: null,
  task_queue: null,
  message:
    'An operator has paused the activity of this step in Temporal. It continues when the operator unpauses it.',
};

function waitingForWorker(queue: string, polling: Polling | null): WaitingFor {
  return { kind: 'worker', until: null, task_queue: queue, message: describePolling(queue, polling) };
}

function waitingForWorkflow({ failures, reason }: FailingTask): WaitingFor {
  // Temporal records no reason for tasks that a busy worker does not finish in time.
  const what = reason === null ? 'failed or timed out' : 'failed';
  const why = reason === null ? '' : ` ${reason.replace(/[.\s]*$/, '.')}`;
  return {
    kind: 'workflow',
    until: null,
    task_queue: coreTaskQueue,
    message: `The workflow task of this run has ${what} ${failures} times.${why} Temporal retries it; cancel to end the run.`,
  };
}

function waitingForForeign(why: string): WaitingFor {
  return {
    kind: 'workflow',
    until: null,
    task_queue: null,
    message: `Another program started the workflow of this run: ${why}. Cancel to end the run.`,
  };
}

/** Describes a run whose workflow has not asked for its first step yet. */
function waitingToBegin({ activities, polling, unsent }: Sighting): WaitingFor {
  if (unsent === null && (activities !== null || polling !== null))
    return waitingForWorker(coreTaskQueue, polling);
  const message =
    unsent === null
      ? 'Temporal does not answer; the run begins when it does.'
      : `The start of the run could not be sent to Temporal and is being retried: ${unsent}`;
  return { kind: 'worker', until: null, task_queue: coreTaskQueue, message };
}
