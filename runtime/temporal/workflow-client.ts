import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  type Connection,
  type WorkflowStartOptions,
} from '@temporalio/client';
import { ServiceError } from '../../core/errors.js';
import { parseRunWorkflowId, runWorkflowId } from '../../core/ids.js';
import type { Origin } from '../../core/origin.js';
import { workflowNames, type CleanUpResourceInput, type StepReported } from '../../core/runs/run-protocol.js';
import type { RunRef } from '../../core/runs/refs.js';
import {
  describeWorkflow,
  isRunning,
  runStatusOf,
  whyForeign,
  type RunWorkflowStatus,
} from './describe-workflow.js';
import { toDate, toPendingActivity } from './pending-activity.js';
import { isFailing, isWaiting, reasonOfFailing, type PendingWork } from './pending-work.js';
import { readPollers, type Polling } from './pollers.js';
import { cleanUpAttributes } from './search-attributes.js';
import { isUnavailable } from './errors.js';
import { cleanUpOptions, operationOptions, runStartOptions, type RunToStart } from './workflow-start.js';
import { createWithSearchAttributes } from './with-search-attributes.js';

const closedRunsPerPage = 500;

/** A run whose workflow closed without completing. */
export interface ClosedRun extends RunRef {
  readonly closedAt: Date;
}

/** All operations on workflows that the rest of the program uses. */
export interface WorkflowClient {
  /** Starts the workflow of a run; does nothing if it was already started. */
  startRun(start: RunToStart): Promise<void>;
  /** Requests cancellation of a run's workflow; does nothing if it has ended. */
  cancelRun(resourceId: string, run: number): Promise<void>;
  /**
   * Terminates the workflow of a run that has not reacted to a cancel request. Leaves it alone if its workflow task has
   * been due for less than `patienceMs` and has not failed, since it may still react. Returns whether it was
   * terminated.
   */
  terminateOverdue(resourceId: string, run: number, patienceMs: number): Promise<boolean>;
  /** Wakes the workflow of a run; does nothing if it has ended. */
  signalReport(resourceId: string, run: number, report: StepReported): Promise<void>;
  /**
   * Ensures that a workflow removes what a deleted resource left or, with a run, the artifacts removed at the end of
   * that run. A running one checks for recorded clean-ups once more; an ended one is started again.
   */
  startCleanUp(input: CleanUpResourceInput, origin: Origin | null): Promise<void>;
  /** Starts that workflow unless it is running, and replaces another program's. Returns whether it was started. */
  restartCleanUp(input: CleanUpResourceInput): Promise<boolean>;
  /** Starts the workflow of a bulk operation unless it is running, like `restartCleanUp`. Returns whether it was started. */
  startOperation(operationId: string, origin: Origin | null): Promise<boolean>;
  /** The pending work of a run. Null if Temporal did not answer in time or does not know the run. */
  pendingWork(resourceId: string, run: number, timeoutMs: number): Promise<PendingWork | null>;
  /** The pollers of a task queue for activities. Null if Temporal did not answer in time. */
  readPolling(taskQueue: string, timeoutMs: number): Promise<Polling | null>;
  /** The status of a run's workflow; UNKNOWN if the server has none. Throws TEMPORAL_UNAVAILABLE. */
  runStatus(resourceId: string, run: number): Promise<RunWorkflowStatus>;
  /**
   * Runs whose workflow failed, was cancelled, was terminated or timed out after a given time, in pages. The server's
   * list lags by seconds, and may include a run that continues after a reset. Throws TEMPORAL_UNAVAILABLE.
   */
  closedRuns(since: Date): AsyncIterable<readonly ClosedRun[]>;
  /** Resolves if the namespace answers; throws TEMPORAL_UNAVAILABLE. */
  check(): Promise<void>;
  /** The version of the server. Null if it did not answer in time. */
  serverVersion(timeoutMs: number): Promise<string | null>;
}

export interface WorkflowClientOptions {
  readonly client: Client;
  readonly connection: Connection;
  readonly namespace: string;
  /** Default timeout of a call in milliseconds. */
  readonly timeoutMs: number;
  /** How long runs start without search attributes after the namespace rejected them, in milliseconds. */
  readonly attributesPauseMs: number;
  readonly publicUrl: string;
  /** The clock that all processes share, in milliseconds since 1970, for comparison with times from the server. */
  readonly now: () => number;
  readonly warn: (message: string) => void;
}

/** Creates the client. Calls throw TEMPORAL_UNAVAILABLE if the server is unreachable. */
export function createWorkflowClient(options: WorkflowClientOptions): WorkflowClient {
  const { client, connection, namespace, warn } = options;
  const withSearchAttributes = createWithSearchAttributes({
    connection,
    namespace,
    pauseMs: options.attributesPauseMs,
    warn,
  });

  const call = async <T>(work: () => Promise<T>, timeoutMs: number = options.timeoutMs): Promise<T> => {
    try {
      return await connection.withDeadline(Date.now() + timeoutMs, work);
    } catch (error) {
      throw isUnavailable(error)
        ? new ServiceError('TEMPORAL_UNAVAILABLE', 'Temporal cannot be reached.', {}, { cause: error })
        : error;
    }
  };
  const callOrNull = <T>(work: () => Promise<T>, timeoutMs: number): Promise<T | null> =>
    call(work, timeoutMs).catch(() => null);
  const tolerateEnded = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await call(work);
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  };
  /** Returns false if the workflow exists already. */
  const start = async (name: string, options: WorkflowStartOptions): Promise<boolean> => {
    try {
      await call(() => client.workflow.start(name, options));
      return true;
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      return false;
    }
  };

  /**
   * Starts a workflow if none with its id runs. Another program's workflow with this id is terminated first: it would
   * hold up the work for as long as it runs.
   */
  const startOrReplace = async (name: string, options: WorkflowStartOptions): Promise<boolean> => {
    if (await start(name, options)) return true;
    const { workflowId } = options;
    const described = await call(() => describeWorkflow(connection, namespace, workflowId));
    const foreign = described && whyForeign(described, name);
    if (foreign === null || runStatusOf(described) !== 'OPEN') return false;
    const runId = described?.workflowExecutionInfo?.execution?.runId ?? undefined;
    const reason = 'Its id belongs to a workflow of Knowledge Warehouse, which replaces it.';
    await tolerateEnded(() => client.workflow.getHandle(workflowId, runId).terminate(reason));
    warn(`Another program started the workflow ${workflowId}: ${foreign}. It was terminated.`);
    return await start(name, options);
  };

  return {
    async startRun(run) {
      const { options: given, attributes } = runStartOptions(run, options.publicUrl);
      await withSearchAttributes(given.workflowId, attributes, (accepted) =>
        start(workflowNames.processResource, { ...given, ...accepted }),
      );
    },

    cancelRun: (resourceId, run) =>
      tolerateEnded(() => client.workflow.getHandle(runWorkflowId(resourceId, run)).cancel()),

    async terminateOverdue(resourceId, run, patienceMs) {
      const workflowId = runWorkflowId(resourceId, run);
      let isTerminated = false;
      await tolerateEnded(async () => {
        const described = await describeWorkflow(connection, namespace, workflowId);
        const task = described?.pendingWorkflowTask;
        const dueMs = options.now() - (toDate(task?.originalScheduledTime)?.getTime() ?? 0);
        const mayFollow = task && dueMs < patienceMs && !isFailing(task.attempt ?? 1);
        if (described === null || !isRunning(described) || mayFollow) return;
        const reason = 'The run was cancelled, and did not end by itself.';
        await client.workflow.getHandle(workflowId).terminate(reason);
        isTerminated = true;
      });
      return isTerminated;
    },

    signalReport: (resourceId, run, report) =>
      tolerateEnded(() =>
        client.workflow.getHandle(runWorkflowId(resourceId, run)).signal(workflowNames.stepReported, report),
      ),

    async startCleanUp(input, origin) {
      const options = { ...cleanUpOptions(input, origin), signal: workflowNames.cleanUpNoted };
      await withSearchAttributes(options.workflowId, cleanUpAttributes(input.resourceId), (given) =>
        call(() => client.workflow.signalWithStart(workflowNames.cleanUpResource, { ...options, ...given })),
      );
    },

    restartCleanUp(input) {
      const options = cleanUpOptions(input, null);
      return withSearchAttributes(options.workflowId, cleanUpAttributes(input.resourceId), (given) =>
        startOrReplace(workflowNames.cleanUpResource, { ...options, ...given }),
      );
    },

    startOperation: (operationId, origin) =>
      startOrReplace(workflowNames.runOperation, operationOptions(operationId, origin)),

    pendingWork(resourceId, run, timeoutMs) {
      const workflowId = runWorkflowId(resourceId, run);
      return callOrNull(async () => {
        const described = await describeWorkflow(connection, namespace, workflowId);
        if (described === null) return null;
        const task = described.pendingWorkflowTask;
        const attempts = task?.attempt ?? 1;
        return {
          activities: (described.pendingActivities ?? []).map((each) =>
            toPendingActivity(each, options.now()),
          ),
          failingTask: isFailing(attempts)
            ? { failures: attempts - 1, reason: await reasonOfFailing(connection, namespace, workflowId) }
            : null,
          taskWaits: isWaiting(task, options.now()),
          foreign: whyForeign(described, workflowNames.processResource),
        };
      }, timeoutMs);
    },

    readPolling: (taskQueue, timeoutMs) =>
      callOrNull(() => readPollers(connection, namespace, taskQueue, options.now), timeoutMs),

    async runStatus(resourceId, run) {
      return runStatusOf(
        await call(() => describeWorkflow(connection, namespace, runWorkflowId(resourceId, run))),
      );
    },

    async *closedRuns(since) {
      const query =
        `WorkflowType = '${workflowNames.processResource}' AND CloseTime >= '${since.toISOString()}'` +
        ` AND ExecutionStatus IN ('Failed', 'Canceled', 'Terminated', 'TimedOut')`;
      let nextPageToken: Uint8Array = new Uint8Array();
      do {
        const page = await call(() =>
          connection.workflowService.listWorkflowExecutions({
            namespace,
            query,
            pageSize: closedRunsPerPage,
            nextPageToken,
          }),
        );
        yield page.executions.flatMap(({ execution, closeTime }) => {
          const ref = parseRunWorkflowId(execution?.workflowId ?? '');
          const closedAt = toDate(closeTime);
          return ref === null || closedAt === null ? [] : [{ ...ref, closedAt }];
        });
        nextPageToken = page.nextPageToken;
      } while (nextPageToken.length > 0);
    },

    async check() {
      await call(() => connection.workflowService.describeNamespace({ namespace }), 2_000);
    },

    async serverVersion(timeoutMs) {
      const info = await callOrNull(() => connection.workflowService.getSystemInfo({}), timeoutMs);
      return info?.serverVersion || null;
    },
  };
}
