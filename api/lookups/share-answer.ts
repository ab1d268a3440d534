import { isStatementTimeout } from '../../storage/database/connection.js';

/** A slow answer is kept for this multiple of its duration, so that requests cannot keep the database busy. */
const restFactor = 10;

/**
 * Wraps an expensive read, so that all concurrent or closely following callers share its answer. An answer is kept for
 * `freshMs` milliseconds at least. A failure is kept if a statement was too slow, because the next one would be too.
 */
export function shareAnswer<T>(read: () => Promise<T>, freshMs: number): () => Promise<T> {
  let kept: { readonly answer: Promise<T>; until: number } | null = null;
  return async () => {
    if (kept !== null && kept.until > performance.now()) return await kept.answer;
    const begun = performance.now();
    const entry = { answer: read(), until: Infinity };
    kept = entry;
    const keepFor = (leastMs: number): void => {
      const now = performance.now();
      entry.until = now + Math.max(leastMs, restFactor * (now - begun));
    };
    try {
      const answer = await entry.answer;
      keepFor(freshMs);
      return answer;
    } catch (error) {
      if (isStatementTimeout(error)) keepFor(0);
      else kept = null;
      throw error;
    }
  };
}
