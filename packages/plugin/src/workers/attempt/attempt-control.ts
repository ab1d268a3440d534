/**
 * Why an attempt ends before its plugin has finished: it timed out, was cancelled, is closed in Core, its resource was
 * deleted, or the worker stops.
 */
export type EndCause = 'TIMED_OUT' | 'CANCELLED' | 'CLOSED' | 'GONE' | 'STOPPED';

/** The abort reason of an attempt's signal. Its name is TimeoutError or AbortError, as in the DOM. */
export class AttemptEnded extends Error {
  override readonly name: string;

  constructor(cause: EndCause) {
    super(messages[cause]);
    this.name = cause === 'TIMED_OUT' ? 'TimeoutError' : 'AbortError';
  }
}

const messages: Record<EndCause, string> = {
  TIMED_OUT: 'The attempt did not end in time.',
  CANCELLED: 'The attempt was cancelled.',
  CLOSED: 'The attempt is closed.',
  GONE: 'The resource was deleted.',
  STOPPED: 'The worker is stopping.',
};

/** Ends one attempt. Only the first cause counts. */
export interface AttemptControl {
  readonly signal: AbortSignal;
  readonly ended: EndCause | null;
  end(cause: EndCause): void;
  dispose(): void;
}

/** The maximum duration of a Node timer, in milliseconds. */
const longestTimerMs = 2 ** 31 - 1;

/** Ends an attempt as TIMED_OUT after `remainingMs`. */
export function createAttemptControl(remainingMs: number): AttemptControl {
  const controller = new AbortController();
  let ended: EndCause | null = null;
  const end = (cause: EndCause): void => {
    if (ended !== null) return;
    ended = cause;
    controller.abort(new AttemptEnded(cause));
  };
  const timer = setTimeout(() => end('TIMED_OUT'), Math.min(longestTimerMs, Math.max(0, remainingMs)));
  return {
    signal: controller.signal,
    get ended() {
      return ended;
    },
    end,
    dispose: () => clearTimeout(timer),
  };
}
