import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../logging/logger.js';
import { createRepeats } from './repeats.js';

export interface SweepTask {
  readonly name: string;
  /**
   * Does pending work for at most a few seconds, so that other tasks get their turn, and stops early when the signal
   * aborts because the process is stopping. 'MORE' means that work is left, so the next round starts immediately. Other
   * results are ignored.
   */
  run(signal: AbortSignal): Promise<unknown>;
  /**
   * Whether it uses the object store. These tasks have rounds of their own, because a store that does not answer delays
   * them by a minute. They too stop early when the signal aborts.
   */
  readonly usesStore?: true;
}

export interface Sweeper {
  /** Stops the rounds; resolves when the running task is done. */
  stop(): Promise<void>;
}

/**
 * Runs all tasks periodically, with a pause between the rounds. A failed task is logged and retried in the next round;
 * the others continue. While rounds fail, each message is logged once a minute: one cause often fails all tasks. What
 * a stop interrupts is not logged.
 *
 * @param explain Maps the error of a task for the log
 */
export function startSweeper(
  tasks: readonly SweepTask[],
  intervalSeconds: number,
  log: Logger,
  explain: (error: unknown) => unknown = (error) => error,
): Sweeper {
  const stopping = new AbortController();
  const { signal } = stopping;
  const isStopping = (): boolean => signal.aborted;
  const repeats = createRepeats();
  const logFailure = (task: string, err: unknown): void => {
    if (repeats.isNew(err)) log.warn({ err, task }, 'a sweep failed');
  };
  /** The parts whose current or last round failed. */
  const failing = new Set<readonly SweepTask[]>();
  const inRounds = async (part: readonly SweepTask[]): Promise<void> => {
    while (!isStopping()) {
      let more = false;
      let hasFailed = false;
      for (const task of part) {
        if (isStopping()) return;
        try {
          if ((await task.run(signal)) === 'MORE') more = true;
        } catch (error) {
          if (isStopping()) return;
          hasFailed = true;
          failing.add(part);
          logFailure(task.name, explain(error));
        }
      }
      if (!hasFailed) failing.delete(part);
      if (failing.size === 0) repeats.clear();
      if (!more) await pause(intervalSeconds * 1000, undefined, { signal }).catch(() => undefined);
    }
  };
  const rounds = [
    inRounds(tasks.filter(({ usesStore }) => !usesStore)),
    inRounds(tasks.filter(({ usesStore }) => usesStore)),
  ];
  return {
    async stop() {
      stopping.abort();
      await Promise.all(rounds);
    },
  };
}
