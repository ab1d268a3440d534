import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';
import { ServiceError } from '../../core/errors.js';

/** Admission control for searches: a fixed number run at once, a few more wait, and the rest are rejected. */
export interface SearchLimiter {
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** Searches use their own threads, so more searches than processors would slow down everything. */
export function createSearchLimiter(
  places = Math.max(2, availableParallelism()),
  mostWaiting = 64,
): SearchLimiter {
  const limit = pLimit(places);
  return {
    async run(work) {
      if (limit.activeCount >= places && limit.pendingCount >= mostWaiting)
        throw new ServiceError('SEARCH_UNAVAILABLE', 'Too many searches at once. Try again in a moment.');
      return await limit(work);
    },
  };
}
