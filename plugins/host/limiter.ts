import { waitForTurn, type Waiting } from './wait-for-turn.js';

type Place = 'any' | 'light';

/** Runs a limited number of tasks at once, plus a light one. */
export interface TaskLimiter {
  /**
   * Runs a task when a place is free. `weight` is proportional to its work, such as the bytes of a text; Infinity if
   * unknown. A task that is still waiting when the signal aborts leaves with the signal's reason.
   */
  run<Result>(weight: number, signal: AbortSignal, task: () => Promise<Result>): Promise<Result>;
}

/**
 * Creates a limiter that runs `places` tasks at once, in order of arrival. One more place is for tasks with a weight of
 * at most `lightest`, the lightest first. Thus short tasks never wait for long ones, and long tasks wait only for their
 * turn.
 */
export function createTaskLimiter(places: number, lightest: number): TaskLimiter {
  const waiting: Waiting<Place>[] = [];
  const free: Record<Place, number> = { any: places, light: 1 };

  const beginNext = (): void => {
    const place = free.any > 0 ? 'any' : 'light';
    if (free[place] === 0) return;
    const next = place === 'any' ? waiting.shift() : takeLightest();
    if (next === undefined) return;
    free[place] -= 1;
    next.begin(place);
  };

  const takeLightest = (): Waiting<Place> | undefined => {
    const weight = Math.min(...waiting.map((each) => each.weight));
    if (!(weight <= lightest)) return undefined;
    const at = waiting.findIndex((each) => each.weight === weight);
    return waiting.splice(at, 1)[0];
  };

  return {
    async run(weight, signal, task) {
      const place = await waitForTurn(weight, signal, waiting, beginNext);
      try {
        return await task();
      } finally {
        free[place] += 1;
        beginNext();
      }
    },
  };
}
