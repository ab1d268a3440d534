const checkEveryMs = 500;
/** How many checks find a failed worker before it is given up. Until then its `run()` may throw what went wrong. */
const patience = 6;

/** A worker of Temporal's SDK. */
interface TemporalWorker {
  readonly options: { readonly taskQueue: string };
  run(): Promise<void>;
  getState(): string;
}

/**
 * Runs a worker of Temporal's SDK until it has stopped. Throws an Error if the worker fails, for example because its
 * namespace was deleted. The SDK's own `run()` may then never settle: it waits for polls that a failed worker does not
 * make.
 */
export async function runTemporalWorker(worker: TemporalWorker): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;
  const failed = new Promise<never>((_resolve, reject) => {
    timer = setInterval(() => {
      if (worker.getState() === 'FAILED') failures += 1;
      if (failures < patience) return;
      reject(
        new Error(
          `The Temporal worker of the task queue ${worker.options.taskQueue} failed; the log says why.`,
        ),
      );
    }, checkEveryMs);
  });
  try {
    await Promise.race([worker.run(), failed]);
  } finally {
    clearInterval(timer);
  }
}
