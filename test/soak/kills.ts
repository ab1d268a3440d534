import { setTimeout as sleep } from 'node:timers/promises';
import type { TestStack } from '../support/stack.js';

/** Processes that are killed again and again, and started again by their supervisor. */
export interface Kills {
  /** Kills so far, by the name of the process. */
  readonly counts: Readonly<Record<'api' | 'worker', number>>;
  /** The pids of what was killed. */
  readonly pids: ReadonlySet<number>;
  /** Ends the killing; what was killed is being started again. */
  stop(): Promise<void>;
}

/** Seconds that a process lives before it is killed, its start included. */
const lifetime = { least: 3, most: 20 } as const;

/** Kills API and worker, each by itself at random times, without warning. */
export function startKills(stack: TestStack, random: () => number): Kills {
  const over = new AbortController();
  const counts = { api: 0, worker: 0 };
  const pids = new Set<number>();
  /** Resolves with whether there is still something to kill. */
  const pause = (seconds: number): Promise<boolean> =>
    sleep(seconds * 1000, true, { signal: over.signal }).catch(() => false);

  const haunt = async (name: 'api' | 'worker'): Promise<void> => {
    let killed = 0;
    while (!over.signal.aborted) {
      const pid = stack.stack().processes[name] ?? killed;
      if (pid === killed) {
        await pause(0.1);
        continue;
      }
      if (!(await pause(lifetime.least + random() * (lifetime.most - lifetime.least)))) return;
      try {
        process.kill(pid, 'SIGKILL');
        counts[name] += 1;
        pids.add(pid);
      } catch (error) {
        // It ended by itself, which who watches the processes tells.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
      killed = pid;
    }
  };

  const haunting = Promise.all([haunt('api'), haunt('worker')]);
  return {
    counts,
    pids,
    async stop() {
      over.abort();
      await haunting;
    },
  };
}
