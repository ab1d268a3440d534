import { clip } from './protocol/text.js';

/** How far an attempt is: a fraction from 0 to 1 and a short message; null where there is none. */
export interface Progress {
  readonly fraction: number | null;
  readonly message: string | null;
}

export interface ProgressThrottle {
  /**
   * Takes progress to show. A fraction outside of 0 to 1 or NaN is clamped, a long message is truncated.
   * Never throws or blocks.
   */
  report(fraction: number | null, message?: string | null): void;
  /** Sends at once what still waits. Resolves when nothing is on its way any more; reports go on counting after it. */
  flush(): Promise<void>;
}

/** The longest message that Core takes, in characters. */
const longestMessage = 1_000;

/**
 * Forwards progress at most once per `intervalMs`, one at a time and in order. New progress replaces what
 * waits, so the last one always arrives. `send` must end by itself; its errors go to `onError`.
 */
export function createProgressThrottle(
  send: (progress: Progress) => Promise<void>,
  onError: (error: unknown) => void,
  intervalMs = 1_000,
): ProgressThrottle {
  let waiting: Progress | null = null;
  let sending: Promise<void> | null = null;
  let hurried = false;
  let endRest = (): void => undefined;

  const rest = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, hurried ? 0 : intervalMs);
      endRest = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const sendAll = async (): Promise<void> => {
    while (waiting !== null) {
      const next = waiting;
      waiting = null;
      const rested = rest();
      await send(next).catch(onError);
      await rested;
    }
    sending = null;
  };

  return {
    report(fraction, message) {
      waiting = {
        fraction: fraction === null ? null : Math.min(1, Math.max(0, fraction)) || 0,
        message: message === undefined || message === null ? null : clip(message, longestMessage),
      };
      sending ??= sendAll();
    },
    async flush() {
      hurried = true;
      endRest();
      await sending;
      hurried = false;
    },
  };
}
