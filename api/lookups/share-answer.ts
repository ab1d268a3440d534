import { isStatementTimeout } from '../../storage/database/connection.js';

/** The maximum number of milliseconds that a failure is kept. */
const longestFailureMs = 60_000;

/**
 * Wraps an expensive read, so that all concurrent or closely following callers share its answer. An answer is kept for
 * `freshMs` milliseconds at least, and for `restFactor` times its duration, so that requests cannot keep the database
 * busy. A failure is kept if a statement was too slow, because the next one would be too.
 */
export function shareAnswer<T>(
  read: () => Promise<T>,
  { freshMs, restFactor }: { readonly freshMs: number; readonly restFactor: number },
): () => Promise<T> {
  let kept: { readonly answer: Promise<T>; until: number } | null = null;
  return async () => {
    if (kept !== null && kept.until > performance.now()) return await kept.answer;
    const begun = performance.now();
    const entry = { answer: read(), until: Infinity };
    kept = entry;
    const restMs = (): number => restFactor * (performance.now() - begun);
    try {
      const answer = await entry.answer;
      entry.until = performance.now() + Math.max(freshMs, restMs());
      return answer;
    } catch (error) {
      if (isStatementTimeout(error)) entry.until = performance.now() + Math.min(longestFailureMs, restMs());
      else kept = null;
      throw error;
    }
  };
}
