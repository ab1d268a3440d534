import { OutgoingError } from './errors.js';

/** A signal that aborts when time is up, with OutgoingError TIMED_OUT, or when the caller's signal does, with its reason. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Lets go of the timer and of the caller's signal. */
  clear(): void;
}

/** Starts the clock. A timer of our own, because signals made by `AbortSignal.any` can be collected before they fire. */
export function startDeadline(timeoutMs: number, host: string, outer?: AbortSignal): Deadline {
  const controller = new AbortController();
  const onOuter = (): void => controller.abort(outer?.reason);
  const timer = setTimeout(() => {
    controller.abort(
      new OutgoingError(
        'TIMED_OUT',
        `${host} did not send a complete response within ${timeoutMs / 1000} s.`,
      ),
    );
  }, timeoutMs);
  if (outer?.aborted) onOuter();
  outer?.addEventListener('abort', onOuter, { once: true });
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer);
      outer?.removeEventListener('abort', onOuter);
    },
  };
}
