import { coreTaskQueue, type StepSnapshot } from './run-protocol.js';
import type { StepStatus } from '../states.js';

/** The part of a step's row that decides what its run does next. */
export interface StepToDo {
  readonly status: StepStatus;
  /** Null: the plugin is no longer registered. */
  readonly is_plugin_active: boolean | null;
}

/** The next action of a PROCESSING run. */
export type NextStep<Step> =
  /** Every step is completed. */
  | { readonly do: 'COMPLETE' }
  /** Fetch the source. `step` is the step that needs it. */
  | { readonly do: 'FETCH'; readonly step: Step }
  /** Make the first attempt at the step. */
  | { readonly do: 'BEGIN'; readonly step: Step }
  /** Fail the step: its plugin is inactive or no longer registered. */
  | { readonly do: 'REFUSE'; readonly step: Step }
  /** Wait for the open attempt, or make another one. */
  | { readonly do: 'CONTINUE'; readonly step: Step };

/**
 * Decides the next action of a run from its rows alone. Used by `advance`, by the start of a run and by the
 * claim of an attempt.
 *
 * @param run Its status is PROCESSING. `steps` are in order.
 */
export function nextStep<Step extends StepToDo>(run: {
  readonly source_ready: boolean;
  readonly steps: readonly Step[];
}): NextStep<Step> {
  const step = run.steps.find(({ status }) => status !== 'COMPLETED');
  if (step === undefined) return { do: 'COMPLETE' };
  if (!run.source_ready) return { do: 'FETCH', step };
  if (step.status !== 'PENDING') return { do: 'CONTINUE', step };
  return { do: step.is_plugin_active === true ? 'BEGIN' : 'REFUSE', step };
}

/**
 * Whether Core's own workers execute a step. They check their input against the tables, so a run can start the
 * step without calling `advance` first, and the step's result contains the next instruction.
 */
export function isRunByCore(step: Pick<StepSnapshot, 'kind' | 'task_queue'>): boolean {
  return step.kind === 'http' || step.task_queue === coreTaskQueue;
}
