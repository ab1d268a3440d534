import { ApiError, Unreachable } from './errors.js';
import { sleep } from './sleep.js';

/** How often a request is tried, and a callback for retries. */
export interface Patience {
  /**
   * Maximum number of tries. If it is more than one, 429 responses do not count, and neither does a minute of waiting
   * for an earlier try that is still in progress.
   */
  readonly tries: number;
  readonly onRetry?: (error: Error, waitMs: number) => void;
}

const firstPauseMs = 250;
const longestPauseMs = 8_000;
/** The longest pause in seconds that a service may ask for. */
const longestWait = 300;
/** How long an earlier try is waited for. One whose process was killed seems to be in progress until its lease ends. */
const longestInProgressMs = 60_000;

/**
 * Executes a request and retries failures that may be repeated: 429 always, since nothing was done; 502 to 504, 520 to
 * 524 and lost connections if the request is `repeatable` (read-only, idempotent or with an Idempotency-Key); refused
 * connections always.
 */
export async function withRetries<T>(
  work: () => Promise<T>,
  options: Patience & { readonly repeatable: boolean; readonly signal: AbortSignal },
): Promise<T> {
  const { tries, repeatable, signal, onRetry } = options;
  let inProgressMs = 0;
  for (let failures = 0; ;) {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      const asked = isRateLimit(error);
      const isEarlierTry = isInProgress(error) && inProgressMs < longestInProgressMs;
      if (!asked && !isEarlierTry) failures += 1;
      if (!mayRepeat(error, repeatable) || failures >= tries || tries === 1) throw error;
      const waitMs = asked ? askedMs(error) : Math.max(pauseMs(failures), askedMs(error));
      if (isEarlierTry) inProgressMs += waitMs;
      onRetry?.(error, waitMs);
      await sleep(waitMs, signal);
    }
  }
}

/** Returns the pause after a number of failures: exponential, with a fifth of jitter to spread retries. */
export function pauseMs(failures: number): number {
  const pause = Math.min(firstPauseMs * 2 ** (failures - 1), longestPauseMs);
  return Math.round(pause * (0.8 + Math.random() * 0.2));
}

/** The statuses of a service that is overloaded or away; 520 to 524 are Cloudflare's for the latter. */
const transientStatuses = new Set([429, 502, 503, 504, 520, 521, 522, 523, 524]);

/** Whether a failure is temporary. */
export function isTransient(error: unknown): error is Unreachable | ApiError {
  if (error instanceof Unreachable) return true;
  return isInProgress(error) || (error instanceof ApiError && transientStatuses.has(error.status));
}

export const isRateLimit = (error: unknown): boolean => error instanceof ApiError && error.status === 429;

/** Whether our own earlier try, whose connection was lost, is still being executed. */
const isInProgress = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'IDEMPOTENCY_IN_PROGRESS';

function mayRepeat(error: unknown, repeatable: boolean): error is Unreachable | ApiError {
  if (!isTransient(error)) return false;
  if (error instanceof Unreachable) return repeatable || error.unsent;
  if ((error.retryAfter ?? 0) > longestWait) return false;
  return repeatable || error.status === 429;
}

/**
 * Returns how long in milliseconds the service asks to wait before a retry, at most `longestWait`. That is at least a
 * second for a 429, whose repeats have no limit.
 */
export function askedMs(error: unknown): number {
  if (!(error instanceof ApiError)) return 0;
  const least = error.status === 429 ? 1 : 0;
  return Math.min(Math.max(error.retryAfter ?? 0, least), longestWait) * 1000;
}
