import pLimit from 'p-limit';
import type { Logger } from '../logging/logger.js';
import type { WorkflowClient } from '../temporal/workflow-client.js';

type Repair = 'run_ended' | 'run_restarted';

interface RunRef {
  readonly resourceId: string;
  readonly run: number;
}

/** What the sweeps over runs need of the tables. */
export interface RunTables {
  /** Those of these runs that the tables take for PROCESSING. */
  stillProcessing(runs: readonly RunRef[]): Promise<readonly RunRef[]>;
  /** Runs whose workflow is to be looked for; `missing`: Temporal did not know it when it was asked last. */
  leaseQuiet(): Promise<readonly (RunRef & { readonly missing: boolean })[]>;
  /** Runs whose cancel request was sent but has had no effect for this many seconds. */
  overdueCancels(afterSeconds: number): Promise<readonly RunRef[]>;
  /** Ends a run as FAILED, or as CANCELLED if that was asked for; false when the tables know of its end by now. */
  end(run: RunRef, error: { readonly code: string; readonly message: string }): Promise<boolean>;
  /** Notes that Temporal does not know a run; true when its start was asked for again. */
  missing(run: RunRef): Promise<boolean>;
  /** Notes that Temporal knows a run after all. */
  known(run: RunRef): Promise<void>;
  repaired(kind: Repair, count: number): Promise<void>;
}

export interface RunReconciler {
  /**
   * Settles runs whose workflow closed without the tables knowing. One query to Temporal names those that closed,
   * however many are at work. Takes and returns the moment up to which that is done.
   */
  settleClosed(since: Date | null): Promise<Date>;
  /** Asks for runs that nothing was heard of for long, one by one: their history may be lost. */
  lookForLost(): Promise<void>;
  /** Terminates the workflows of runs that a cancel has not ended for a minute, and settles the runs. */
  endOverdueCancels(): Promise<void>;
}

/** How far the first look goes back, and how far each goes over what the last one saw: Temporal's list is late. */
const firstLookMs = 24 * 60 * 60_000;
const overlapMs = 2 * 60_000;
/** A workflow that closed less than this ago may still be followed by its own last write. */
const graceMs = 3_000;
const questionsAtOnce = 10;
/** How long a cancel may take to have an effect. */
const cancelPatienceSeconds = 60;

/** What became of a workflow from outside, as the resource's error. */
const endedOutside = {
  TERMINATED: ['WORKFLOW_TERMINATED', 'The workflow of this run was terminated.'],
  TIMED_OUT: ['WORKFLOW_TIMED_OUT', 'The workflow of this run timed out.'],
  ENDED: ['WORKFLOW_FAILED', 'The workflow of this run ended before the run did.'],
} as const;

/** Makes the sweeps that hold runs against their workflows. Both may be carried out twice, and by several processes. */
export function createRunReconciler(
  tables: RunTables,
  workflows: Pick<WorkflowClient, 'closedRuns' | 'runStatus' | 'terminateOverdue'>,
  log: Logger,
  clock: () => number = Date.now,
): RunReconciler {
  /** Does what a run's workflow asks for. Lists lag behind, so the workflow itself is asked. */
  const follow = async ({ resourceId, run }: RunRef, missing: boolean): Promise<Repair | null> => {
    const ref = { resourceId, run };
    const status = await workflows.runStatus(resourceId, run);
    if (status === 'OPEN') {
      if (missing) await tables.known(ref);
      return null;
    }
    if (status === 'UNKNOWN') {
      if (!(await tables.missing(ref))) return null;
      log.warn({ resource_id: resourceId, run }, 'a lost run is started again');
      return 'run_restarted';
    }
    const [code, message] = endedOutside[status];
    if (!(await tables.end(ref, { code, message }))) return null;
    log.warn({ resource_id: resourceId, run, code }, 'a run had ended unseen');
    return 'run_ended';
  };

  const followAll = async (runs: readonly (RunRef & { readonly missing?: boolean })[]): Promise<void> => {
    const limit = pLimit(questionsAtOnce);
    const failures: unknown[] = [];
    const ask = async (run: RunRef & { readonly missing?: boolean }): Promise<Repair | null> => {
      // A Temporal that does not answer one question is not made to miss all the others.
      if (failures.length > 0) return null;
      try {
        return await follow(run, run.missing ?? false);
      } catch (error) {
        failures.push(error);
        return null;
      }
    };
    const repairs = await Promise.all(runs.map((run) => limit(() => ask(run))));
    for (const kind of ['run_ended', 'run_restarted'] as const) {
      await tables.repaired(kind, repairs.filter((repair) => repair === kind).length);
    }
    if (failures.length > 0) throw failures[0];
  };

  return {
    async settleClosed(since) {
      const now = clock();
      for await (const page of workflows.closedRuns(since ?? new Date(now - firstLookMs))) {
        const past = page.filter(({ closedAt }) => closedAt.getTime() < now - graceMs);
        await followAll(await tables.stillProcessing(past));
      }
      return new Date(now - overlapMs);
    },
    async lookForLost() {
      await followAll(await tables.leaseQuiet());
    },
    async endOverdueCancels() {
      for (const ref of await tables.overdueCancels(cancelPatienceSeconds)) {
        const { resourceId, run } = ref;
        if (!(await workflows.terminateOverdue(resourceId, run, cancelPatienceSeconds * 1_000))) continue;
        log.warn({ resource_id: resourceId, run }, 'a cancel had no effect: the workflow was terminated');
        await followAll([ref]);
      }
    },
  };
}
