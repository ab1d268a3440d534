import { messageOf } from '../../core/errors.js';

/** How often a failure is logged that all rounds repeat, in milliseconds. */
const repeatMs = 60_000;

/** Which failures were logged within the last minute. */
export interface Repeats {
  /** Whether an error with this message has not been noted for a minute; notes it. */
  isNew(err: unknown): boolean;
  clear(): void;
}

export function createRepeats(): Repeats {
  const noted = new Set<string>();
  let since = 0;
  return {
    isNew(err) {
      const now = performance.now();
      if (now - since > repeatMs) noted.clear();
      if (noted.size === 0) since = now;
      const message = messageOf(err);
      if (noted.has(message)) return false;
      noted.add(message);
      return true;
    },
    clear: () => noted.clear(),
  };
}
