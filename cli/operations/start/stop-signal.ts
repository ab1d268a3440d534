/** npm hands a signal on that the terminal has sent to the whole group already: what comes so soon is the same one. */
const sameSignalMs = 1000;

/** The wish of the person at the terminal, or of the system, that everything stops. */
export interface StopSignal {
  /** Resolves when it comes. */
  readonly requested: Promise<void>;
  readonly signal: AbortSignal;
  /** Waits for the work, or for the signal when that comes first; the work's failure counts only before that. */
  orUntilThen(work: Promise<unknown>): Promise<void>;
}

/**
 * Listens for SIGINT and SIGTERM, and for the end of the channel to a parent that started us with one. A second
 * signal does not wait any longer: it calls `force` and ends the process with exit code 1.
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
