import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../logging/logger.js';

export interface SweepTask {
  readonly name: string;
  /**
   * Does pending work, at most for some seconds, so that other tasks get their turn; less once the signal
   * says that the process stops. 'MORE': more is pending, and the next round starts at once. Other results
   * are ignored.
   */
  run(signal: AbortSignal): Promise<unknown>;
}

export interface Sweeper {
  /** Ends the rounds; resolves when the task at work is done. */
  stop(): Promise<void>;
}

/**
 * Does every task again and again, with a pause between the rounds. A task that fails is logged and tried again in
 * the next round; the others go on.
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
