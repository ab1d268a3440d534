/** npm repeats a signal that the terminal has sent to the whole group: a second one within this time is ignored. */
const sameSignalMs = 1000;

/** A request to stop everything, from the user or the system. */
export interface StopSignal {
  /** Resolves when the request arrives. */
  readonly requested: Promise<void>;
  readonly signal: AbortSignal;
  /** Waits for the work or the request, whichever comes first. Ignores failures of the work after the request. */
  orUntilThen(work: Promise<unknown>): Promise<void>;
}

/**
 * Listens for SIGINT, SIGTERM and SIGHUP, and for the end of the channel to a parent process, if there is
 * one. A second signal stops the wait: it calls `force` and ends the process with exit code 1.
 */
export function onStopSignal(force: () => void): StopSignal {
  const controller = new AbortController();
  let firstAt = 0;
  const requested = new Promise<void>((resolve) => {
    const ask = (): void => {
      if (firstAt === 0) {
        firstAt = Date.now();
        controller.abort();
        resolve();
      } else if (Date.now() - firstAt > sameSignalMs) {
        force();
        process.exit(1);
      }
    };
    process.on('SIGINT', ask).on('SIGTERM', ask).on('SIGHUP', ask);
    process.once('disconnect', ask);
  });
  return {
    requested,
    signal: controller.signal,
    async orUntilThen(work) {
      await Promise.race([
        work.catch((error: unknown) => {
          if (!controller.signal.aborted) throw error;
        }),
        requested,
      ]);
    },
  };
}
