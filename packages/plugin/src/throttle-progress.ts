import { clip } from './protocol/text.js';
import { textOf } from './reason-of.js';

/** The progress of an attempt: a fraction from 0 to 1 and a short message; null if unknown. */
export interface Progress {
  readonly fraction: number | null;
  readonly message: string | null;
}

export interface ProgressThrottle {
  /** Accepts progress: clamps a fraction outside 0 to 1 or NaN, cuts a long message. Never throws or blocks. */
  report(fraction: number | null, message?: string | null): void;
  /** Sends pending progress at once. Resolves when nothing is in flight any more. `report` still works afterwards. */
  flush(): Promise<void>;
}

/** The maximum length of a message that Core accepts, in characters. */
const longestMessage = 1_000;

/**
 * Forwards progress at most once per `intervalMs`, one at a time and in order. New progress replaces pending progress,
 * so the last one always arrives. `send` must have a time limit; its errors go to `onError`.
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
        message: message === undefined || message === null ? null : clip(textOf(message), longestMessage),
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
