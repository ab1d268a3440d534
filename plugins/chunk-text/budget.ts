import { waitForTurn, type Waiting } from '../host/wait-for-turn.js';

/** An amount, such as bytes of memory, that the tasks of a process share. */
export interface Budget {
  /**
   * Runs a task once its weight is free, and frees it when the task ends. Tasks begin in order of arrival, so that light
   * ones cannot starve a heavy one. A task that is still waiting when the signal aborts leaves, with the signal's reason.
   */
  run<Result>(weight: number, signal: AbortSignal, task: () => Promise<Result>): Promise<Result>;
  /** Whether a task of this weight would have to wait. */
  isShort(weight: number): boolean;
}

/** Creates a budget. A task's weight must be at most `total`. */
export function createBudget(total: number): Budget {
  let free = total;
  const waiting: Waiting<void>[] = [];

  const beginNext = (): void => {
    for (let next = waiting[0]; next !== undefined && next.weight <= free; next = waiting[0]) {
      waiting.shift();
      free -= next.weight;
      next.begin();
    }
  };

  return {
    isShort: (weight) => waiting.length > 0 || weight > free,
    async run(weight, signal, task) {
      await waitForTurn(weight, signal, waiting, beginNext);
      try {
        return await task();
      } finally {
        free += weight;
        beginNext();
      }
    },
  };
}
