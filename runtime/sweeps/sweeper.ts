import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../logging/logger.js';

export interface SweepTask {
  readonly name: string;
  /**
   * Does pending work for at most a few seconds, so that other tasks get their turn, and stops early when the signal
   * aborts because the process is stopping. 'MORE' means that work is left, so the next round starts immediately. Other
   * results are ignored.
   */
  run(signal: AbortSignal): Promise<unknown>;
}

export interface Sweeper {
  /** Stops the rounds; resolves when the running task is done. */
  stop(): Promise<void>;
}

/**
 * Runs all tasks periodically, with a pause between the rounds. A failed task is logged and retried in the next round;
 * the others continue.
 */
export function startSweeper(tasks: readonly SweepTask[], intervalSeconds: number, log: Logger): Sweeper {
  const stopping = new AbortController();
  const isStopping = (): boolean => stopping.signal.aborted;
  const rounds = (async () => {
    while (!isStopping()) {
      let more = false;
      for (const task of tasks) {
        if (isStopping()) break;
        try {
          if ((await task.run(stopping.signal)) === 'MORE') more = true;
        } catch (error) {
          log.warn({ err: error, task: task.name }, 'a sweep failed');
        }
      }
      if (!more)
        await pause(intervalSeconds * 1000, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await rounds;
    },
  };
}
