import { nextStep } from '../../core/runs/next-step.js';
import { beginWith, type Instruction } from '../../core/runs/run-protocol.js';
import { removeStaleArtifacts } from '../artifacts.js';
import { noteArtifactsRemoved } from '../clean-ups.js';
import type { Db } from '../database/connection.js';
import { enqueue } from '../outbox.js';
import { readingQueue, waitingForWorker } from '../runs/run-starts.js';
import { readRunState, type RunState, type StepState } from '../runs/run-state.js';
import { attemptsAllowed, type Run, type Step } from '../runs/runs.js';
import { failStep, spendAttempts } from './follow-attempt.js';
import { waitingForFetch } from './source-fetched.js';
import { markRunEnded, markStepRunning } from './status-writes.js';

/**
 * Determines what a run's workflow does next, only from the tables. Starts the next step or ends the run if that comes
 * next. Idempotent. The caller holds the lock on the resource.
 *
 * @param run The run's state in the tables; null if its resource was deleted.
 */
export async function nextInstruction(trx: Db, run: RunState | null, coreUrl: string): Promise<Instruction> {
  if (run === null)
    return { do: 'END', status: 'CANCELLED', code: null, message: 'The resource was deleted.' };
  if (run.status !== 'PROCESSING') {
    return {
      do: 'END',
      status: run.status,
      code: run.error?.code ?? null,
      message: run.error?.message ?? null,
      ...(run.status === 'CANCELLED' ? cancelledDelivery(run) : {}),
    };
  }
  const next = nextStep(run);
  switch (next.do) {
    case 'COMPLETE':
      return await completeRun(trx, run);
    case 'FETCH':
      return await askForFetch(trx, next.step);
    case 'REFUSE':
      await refuseStep(trx, next.step);
      return await nextInstruction(trx, await readRunState(trx, run.resource_id, run.run), coreUrl);
    case 'BEGIN':
      return await beginStep(trx, next.step, coreUrl);
    case 'CONTINUE':
      return await continueStep(trx, run.now, next.step, coreUrl);
  }
}

/** Ends a run whose steps are all completed, and removes the artifacts that it did not make again. */
export async function completeRun(trx: Db, run: Pick<Run, 'resource_id' | 'run'>): Promise<Instruction> {
  const removed = await removeStaleArtifacts(trx, run.resource_id, run.run);
  const gone = removed.map(({ id, ...rest }) => ({ artifact_id: id, ...rest }));
  if (await noteArtifactsRemoved(trx, run.resource_id, run.run, gone))
    await enqueue(trx, 'CLEAN_UP', run.resource_id, run.run);
  await markRunEnded(trx, run.resource_id, run.run, { status: 'COMPLETED', error: null });
  return { do: 'END', status: 'COMPLETED', code: null, message: null };
}

/** The HTTP worker's attempt that the end of a run cancelled; its worker must be told. */
function cancelledDelivery({ steps }: RunState): Pick<Extract<Instruction, { do: 'END' }>, 'cancelled'> {
  const step = steps.find(({ kind, newest }) => kind === 'http' && newest?.outcome === 'CANCELLED');
  return step?.newest ? { cancelled: { index: step.index, attempt: step.newest.number } } : {};
}

async function askForFetch(trx: Db, step: Step): Promise<Instruction> {
  const waitingFor = waitingForFetch('The URL of the source is being fetched.');
  await trx('steps')
    .where({ resource_id: step.resource_id, run: step.run, index: step.index })
    .update({ waiting_for: JSON.stringify(waitingFor) });
  return { do: 'FETCH' };
}

async function refuseStep(trx: Db, step: StepState): Promise<void> {
  const state = step.is_plugin_active === null ? 'is no longer registered' : 'is inactive';
  await failStep(trx, step, 0, {
    code: 'PLUGIN_INACTIVE',
    message: `The plugin ${step.plugin_id} ${state}.`,
    details: { plugin_id: step.plugin_id },
  });
}

async function beginStep(trx: Db, step: StepState, coreUrl: string): Promise<Instruction> {
  const queue = await readingQueue(trx, step);
  await markStepRunning(trx, step, waitingForWorker(step, queue));
  return beginWith(step, coreUrl, queue);
}

/** Continues a started step: waits for its open attempt, or for the pause before its next one. */
async function continueStep(trx: Db, now: Date, step: StepState, coreUrl: string): Promise<Instruction> {
  const attempt = step.newest;
  const isOpen = attempt?.outcome === null && attempt.number > step.attempt_base;
  // Temporal waits for the workers of other activities until it gives up the attempt.
  if (isOpen && (step.kind === 'http' || attempt.error !== null)) {
    const remainingMs = Math.max(0, attempt.deadline.getTime() - now.getTime());
    return { do: 'WAIT', index: step.index, attempt: attempt.number, remainingMs };
  }
  const base = Math.max(step.attempt_base, attempt?.number ?? 0);
  const excused = await spendAttempts(trx, step, base);
  const queue = await readingQueue(trx, step);
  return {
    do: 'RUN',
    index: step.index,
    attemptBase: base,
    attemptsLeft: Math.max(1, attemptsAllowed(step) + excused - base),
    delayMs: step.retry_at === null ? 0 : Math.max(0, step.retry_at.getTime() - now.getTime()),
    coreUrl,
    ...(queue !== null && { queue }),
  };
}
