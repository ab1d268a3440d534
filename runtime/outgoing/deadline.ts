import { OutgoingError } from './errors.js';

/** A signal that aborts with OutgoingError TIMED_OUT when the time is up, or with the reason of the caller's signal. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Stops the clock until `resume`. */
  pause(): void;
  resume(): void;
  /** Clears the timer and stops listening to the caller's signal. */
  clear(): void;
}

/** Starts the clock. It has its own timer: signals of `AbortSignal.any` may be garbage-collected before they fire. */
export function startDeadline(timeoutMs: number, host: string, outer?: AbortSignal): Deadline {
  const controller = new AbortController();
  const onOuter = (): void => controller.abort(outer?.reason);
  const expire = (): void =>
    controller.abort(
      new OutgoingError(
        'TIMED_OUT',
        `${host} did not send a complete response within ${durationOf(timeoutMs)}.`,
      ),
    );
  let remainingMs = timeoutMs;
  let since = performance.now();
  let timer = setTimeout(expire, remainingMs);
  if (outer?.aborted) onOuter();
  outer?.addEventListener('abort', onOuter, { once: true });
  return {
    signal: controller.signal,
    pause() {
      clearTimeout(timer);
      remainingMs -= performance.now() - since;
    },
    resume() {
      since = performance.now();
      timer = setTimeout(expire, remainingMs);
    },
    clear() {
      clearTimeout(timer);
      outer?.removeEventListener('abort', onOuter);
    },
  };
}

/** Returns a duration for people: a step's timeout is what is left of its deadline, to fractions of a millisecond. */
function durationOf(ms: number): string {
  return ms < 100 ? `${Math.ceil(ms)} ms` : `${Math.round(ms / 100) / 10} s`;
}
