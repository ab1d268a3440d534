import { availableParallelism } from 'node:os';
import { ServiceError } from '../../core/errors.js';

/** Admission control for searches: a fixed number run at once, a few more wait, and the rest are rejected. */
export interface SearchRoom {
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** Searches use their own threads, so more searches than processors would slow down everything. */
export function createSearchRoom(places = Math.max(2, availableParallelism()), mostWaiting = 64): SearchRoom {
  const waiting: (() => void)[] = [];
  let used = 0;
  return {
    async run(work) {
      if (used >= places) {
        if (waiting.length >= mostWaiting)
          throw new ServiceError('SEARCH_UNAVAILABLE', 'Too many searches at once. Try again in a moment.');
        await new Promise<void>((resolve) => waiting.push(resolve));
      } else used++;
      try {
        return await work();
      } finally {
        // The slot goes to the longest-waiting search.
        const next = waiting.shift();
        if (next === undefined) used--;
        else next();
      }
    },
  };
}
