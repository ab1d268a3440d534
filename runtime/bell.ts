/** Wakes one who waits; rung while nobody waits, it wakes the next at once. */
export interface Bell {
  readonly ring: () => void;
  /** Resolves when it was rung (true), or after `ms` (false). */
  wait(ms: number): Promise<boolean>;
}

/** A bell that has not been rung. */
export function createBell(): Bell {
  let isRung = false;
  let wake = (): void => undefined;
  return {
    ring: () => {
      isRung = true;
      wake();
    },
    async wait(ms) {
      if (!isRung && ms > 0) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      const wasRung = isRung;
      isRung = false;
      return wasRung;
    },
  };
}
