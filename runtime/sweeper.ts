import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from './logging.js';

export interface SweepTask {
  readonly name: string;
  /** Does what is due; what it returns is not looked at. */
  run(): Promise<unknown>;
}

export interface Sweeper {
  /** Ends the rounds; resolves when the one at work is done. */
  stop(): Promise<void>;
}

/**
 * Does every task again and again, with a pause between the rounds. A task that fails is logged and tried again in
 * the next round; the others go on.
 */
export function startSweeper(tasks: readonly SweepTask[], intervalSeconds: number, log: Logger): Sweeper {
  const stopping = new AbortController();
  const rounds = (async () => {
    while (!stopping.signal.aborted) {
      for (const task of tasks) {
        try {
          await task.run();
        } catch (error) {
          log.warn({ err: error, task: task.name }, 'a sweep failed');
        }
      }
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
