import {
  ApplicationFailure,
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  sleep,
  workflowInfo,
  type ActivityOptions,
} from '@temporalio/workflow';
import type { CoreActivities } from '../activities/index.js';
import {
  callingQueues,
  coreTaskQueue,
  workflowNames,
  type CleanUpResourceInput,
  type CleanUpTask,
} from '../core/runs/run-protocol.js';
import { isCleanUpResourceInput } from '../core/runs/run-input.js';
import { refusedType } from '../core/states.js';

const { deleteResourceObjects } = proxyActivities<CoreActivities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '5 minutes' },
  summary: 'Remove stored objects',
});

const { planCleanUp, finishCleanUp, noteCleanUpFailure } = proxyActivities<CoreActivities>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
});

/** After a few tries the failure is recorded and the plugin's address is looked up again. */
const round: ActivityOptions = {
  scheduleToCloseTimeout: '10 minutes',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumAttempts: 3 },
};

const firstPauseMs = 2_000;
const longestPauseMs = 60_000;

const cleanUpNoted = defineSignal(workflowNames.cleanUpNoted);

/**
 * Removes the data of a deleted resource or, with `run`, of artifacts removed at the end of that run: stored
 * objects and data that plugins keep elsewhere. Retries until everything is removed, including clean-ups
 * recorded meanwhile.
 */
export async function cleanUpResource(input: CleanUpResourceInput): Promise<void> {
  if (!isCleanUpResourceInput(input))
    throw ApplicationFailure.nonRetryable('Refused: the input is not valid.', refusedType);
  let mayBeMore = true;
  setHandler(cleanUpNoted, () => void (mayBeMore = true));
  let areObjectsGone = false;
  const removeObjects = async (): Promise<void> => {
    if (input.run === undefined) await deleteResourceObjects({ resourceId: input.resourceId });
    areObjectsGone = true;
  };
  const cleanUpAll = async (): Promise<void> => {
    while (mayBeMore) {
      mayBeMore = false;
      await cleanUpPlugins(input);
      await condition(() => mayBeMore || areObjectsGone);
    }
  };
  await Promise.all([removeObjects(), cleanUpAll()]);
}

async function cleanUpPlugins(input: CleanUpResourceInput): Promise<void> {
  for (let pause = firstPauseMs; ; pause = Math.min(2 * pause, longestPauseMs)) {
    const tasks = await planCleanUp(input);
    if (tasks.length === 0) {
      setCurrentDetails('All plugins have removed what they keep.');
      return;
    }
    const names = tasks.map((task) => `\`${task.plugin_id}\``).join(', ');
    setCurrentDetails(`Waiting for ${names} to remove what they keep of this resource.`);
    const done = await Promise.all(tasks.map(carryOut));
    if (done.includes(false)) {
      if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof cleanUpResource>(input);
      await sleep(pause, { summary: 'Pause before the next try' });
    }
  }
}

/** Asks one plugin to clean up, with a limited number of tries. Returns whether it succeeded. */
async function carryOut({ id, plugin_id, activity }: CleanUpTask): Promise<boolean> {
  const summary = `Clean up · ${plugin_id}`;
  try {
    if (activity === null) {
      const { deliverCleanUp } = proxyActivities<CoreActivities>({
        ...round,
        taskQueue: callingQueues.messages,
        startToCloseTimeout: '2 minutes',
        heartbeatTimeout: '10 seconds',
        summary,
      });
      await deliverCleanUp({ id });
      return true;
    }
    const runByCore = activity.task_queue === coreTaskQueue;
    const activities = proxyActivities({
      ...round,
      startToCloseTimeout: '5 minutes',
      taskQueue: runByCore ? callingQueues.services : activity.task_queue,
      ...(runByCore ? { heartbeatTimeout: '10 seconds' } : {}),
      summary,
    });
    await activities[activity.type]?.(activity.message);
    await finishCleanUp({ id });
    return true;
  } catch (error) {
    await noteCleanUpFailure({ id, error: describe(error) });
    return false;
  }
}

function describe(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}
