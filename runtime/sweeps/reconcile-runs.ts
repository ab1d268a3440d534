import type { RunRef } from '../../core/runs/refs.js';
import type { Logger } from '../logging/logger.js';
import type { RunWorkflowStatus } from '../temporal/describe-workflow.js';
import type { WorkflowClient } from '../temporal/workflow-client.js';
import { createTemporalLoop } from './temporal-loop.js';

type Repair = 'run_ended' | 'run_restarted';
/** What a check of a run did; `unknown`: Temporal does not know it. */
type Outcome = Repair | 'unknown' | null;
/** `missing`: Temporal did not know it at the last check. */
type RunToFollow = RunRef & { readonly missing?: boolean };

/** The repository functions that these sweeps use. */
export interface RunTables {
  /** Those of these runs that are still PROCESSING in the tables. */
  stillProcessing(runs: readonly RunRef[]): Promise<readonly RunRef[]>;
  /** Runs whose workflow should be checked; `missing`: Temporal did not know it at the last check. */
  leaseQuiet(): Promise<readonly (RunRef & { readonly missing: boolean })[]>;
  /** Runs whose cancel request was sent but has had no effect for this many seconds. */
  overdueCancels(afterSeconds: number): Promise<readonly RunRef[]>;
  /** Ends a run as FAILED, or as CANCELLED if that was requested; returns false if it has ended in the meantime. */
  end(run: RunRef, error: { readonly code: string; readonly message: string }): Promise<boolean>;
  /** Records that Temporal does not know a run; returns true if its start was requested again. */
  missing(run: RunRef): Promise<boolean>;
  /** Records that Temporal does know a run. */
  known(run: RunRef): Promise<void>;
  repaired(kind: Repair, count: number): Promise<void>;
}

export interface RunReconciler {
  /**
   * Settles runs whose workflow closed without updating the tables. One query to Temporal lists those that closed,
   * however many are running. Takes the time up to which this is done, and returns the new one. Throws if Temporal
   * describes none of several runs, so that the next call covers the same period again.
   */
  settleClosed(since: Date | null): Promise<Date>;
  /**
   * Checks runs that have been inactive for long, one by one, because their history may be lost. Returns whether
   * Temporal knew none of them: it may have lost all runs.
   */
  lookForLost(): Promise<boolean>;
  /** Terminates the workflows of runs that a cancel request has not ended within a minute, and settles the runs. */
  endOverdueCancels(): Promise<void>;
}

/** How far back the first query goes, and by how much later ones overlap, because Temporal's list lags behind. */
const firstLookMs = 24 * 60 * 60_000;
const overlapMs = 2 * 60_000;
/** After a workflow closes, its last write may take up to this long to arrive. */
const graceMs = 3_000;
const questionsAtOnce = 10;
/** How long a cancel request may take to have an effect. */
const cancelPatienceSeconds = 60;

/** The resource's error if its workflow was ended from outside. */
const endedOutside = {
  TERMINATED: ['WORKFLOW_TERMINATED', 'The workflow of this run was terminated.'],
  TIMED_OUT: ['WORKFLOW_TIMED_OUT', 'The workflow of this run timed out.'],
  ENDED: ['WORKFLOW_FAILED', 'The workflow of this run ended before the run did.'],
} as const;

/** Creates the sweeps that compare runs with their workflows. They are idempotent and may run in several processes. */
export function createRunReconciler(
  tables: RunTables,
  workflows: Pick<WorkflowClient, 'closedRuns' | 'runStatus' | 'terminateOverdue'>,
  log: Logger,
  clock: () => number = Date.now,
): RunReconciler {
  const forEach = createTemporalLoop(log);
  const fields = ({ resourceId, run }: RunRef) => ({ resource_id: resourceId, run });

  /** Brings a run in line with its workflow. */
  const follow = async (
    { resourceId, run, missing = false }: RunToFollow,
    status: RunWorkflowStatus,
  ): Promise<Outcome> => {
    const ref = { resourceId, run };
    if (status === 'OPEN') {
      if (missing) await tables.known(ref);
      return null;
    }
    if (status === 'UNKNOWN') {
      if (!(await tables.missing(ref))) return 'unknown';
      log.warn(fields(ref), 'restarting a lost run');
      return 'run_restarted';
    }
    const [code, message] = endedOutside[status];
    if (!(await tables.end(ref, { code, message }))) return null;
    log.warn({ ...fields(ref), code }, 'ended a run whose workflow had already closed');
    return 'run_ended';
  };

  /** Returns what it did for each run that Temporal described, and the errors of the others. */
  const followAll = async (
    runs: readonly RunToFollow[],
  ): Promise<{ readonly outcomes: readonly Outcome[]; readonly refusals: readonly unknown[] }> => {
    const outcomes: Outcome[] = [];
    try {
      const refusals = await forEach(runs, {
        // Lists lag behind, so this asks for the workflow's own status.
        ask: ({ resourceId, run }) => workflows.runStatus(resourceId, run),
        take: async (run, status) => {
          outcomes.push(await follow(run, status));
        },
        fields,
        atOnce: questionsAtOnce,
      });
      return { outcomes, refusals };
    } finally {
      for (const kind of ['run_ended', 'run_restarted'] as const)
        await tables.repaired(kind, outcomes.filter((outcome) => outcome === kind).length);
    }
  };

  return {
    async settleClosed(since) {
      const now = clock();
      // A time in the future says nothing: the clock was ahead and has been set back.
      const from = since === null || since.getTime() > now ? new Date(now - firstLookMs) : since;
      let described = 0;
      const refused: unknown[] = [];
      for await (const page of workflows.closedRuns(from)) {
        const past = page.filter(({ closedAt }) => closedAt.getTime() < now - graceMs);
        const { outcomes, refusals } = await followAll(await tables.stillProcessing(past));
        described += outcomes.length;
        refused.push(...refusals);
      }
      if (described === 0 && refused.length > 1) throw refused[0];
      return new Date(now - overlapMs);
    },
    async lookForLost() {
      const runs = await tables.leaseQuiet();
      const { outcomes } = await followAll(runs);
      return (
        runs.length > 0 &&
        outcomes.length === runs.length &&
        outcomes.every((outcome) => outcome === 'unknown' || outcome === 'run_restarted')
      );
    },
    async endOverdueCancels() {
      await forEach(await tables.overdueCancels(cancelPatienceSeconds), {
        ask: ({ resourceId, run }) =>
          workflows.terminateOverdue(resourceId, run, cancelPatienceSeconds * 1_000),
        take: async (ref, isTerminated) => {
          if (!isTerminated) return;
          log.warn(fields(ref), 'a cancel had no effect; the workflow was terminated');
          await followAll([ref]);
        },
        fields,
      });
    },
  };
}
