import { availableParallelism } from 'node:os';
import { ServiceError } from '../../core/errors.js';

/** Room for searches: so many at once, a few more wait for their turn, and the rest is refused. */
export interface SearchRoom {
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** Searches are done by threads of their own. With more at once than processors, each and all else would take longer. */
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
        // The place goes on to who has waited longest.
        const next = waiting.shift();
        if (next === undefined) used--;
        else next();
      }
    },
  };
}
