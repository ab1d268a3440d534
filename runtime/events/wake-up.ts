/** An auto-reset event for one waiter. A wake-up without a waiter ends the next wait immediately. */
export interface WakeUp {
  readonly wake: () => void;
  /** Resolves with true once woken, with false after `ms`. */
  wait(ms: number): Promise<boolean>;
}

export function createWakeUp(): WakeUp {
  let isSet = false;
  let endWait = (): void => undefined;
  return {
    wake: () => {
      isSet = true;
      endWait();
    },
    async wait(ms) {
      if (!isSet && ms > 0) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          endWait = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      const wasSet = isSet;
      isSet = false;
      return wasSet;
    },
  };
}
