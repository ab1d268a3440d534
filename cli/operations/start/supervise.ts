import { setTimeout as sleep } from 'node:timers/promises';

import { messageOf } from '../../../core/errors.js';
import { signal, waitForEnd, type ProcessIdentity } from '../../../runtime/embedded/process-identity.js';
import type { ProcessRecord } from '../../../runtime/embedded/leftovers.js';

/** The result of a part's `start`: a running process. */
export interface Running {
  readonly identity: ProcessIdentity;
  /** Resolves with the cause when the process has ended. */
  readonly ended: Promise<string>;
}

/** The pause before a dead part is restarted. It doubles each time the part dies soon. */
const pause = { firstMs: 250, longestMs: 10_000, soonMs: 30_000 } as const;

/** Restarts processes that die, until they are stopped. */
export interface Supervisor {
  /**
   * Starts a part and keeps it running. Rejects if its first start fails. `start` calls `onSpawn` as soon as
   * there is a process.
   */
  keepRunning<T extends Running>(
    name: string,
    start: (onSpawn: (identity: ProcessIdentity) => void) => Promise<T>,
  ): Promise<T>;
  /** The process ids by name. */
  pids(): Record<string, number>;
  /** Ends a part, so that it is restarted. */
  restart(name: string): void;
  /** Ends a part for good: with this signal, and with SIGKILL after `timeoutMs`. Returns whether it was running. */
  stop(name: string, gently: NodeJS.Signals, timeoutMs: number): Promise<boolean>;
  /** Stops restarting parts. */
  letGo(): void;
  /** Kills everything at once. */
  kill(): void;
}

/** @param hooks `onChange`: a part has a new process. `onTrouble`: a message for the user. */
export function createSupervisor(
  record: ProcessRecord,
  hooks: { readonly onChange: () => void; readonly onTrouble: (line: string) => void },
): Supervisor {
  const processes = new Map<string, ProcessIdentity>();
  const stopping = new AbortController();
  const isOver = (): boolean => stopping.signal.aborted;

  const spawned = (name: string) => (identity: ProcessIdentity) => {
    record.set(name, identity);
    processes.set(name, identity);
    hooks.onChange();
  };

  async function watch(name: string, first: Running, startAgain: () => Promise<Running>): Promise<void> {
    let running: Running | null = first;
    let since = Date.now();
    let pauseMs: number = pause.firstMs;
    while (!isOver()) {
      if (running !== null) {
        const how = await running.ended;
        if (isOver()) return;
        if (Date.now() - since > pause.soonMs) pauseMs = pause.firstMs;
        hooks.onTrouble(`${name} has ended (${how}) and is being restarted.`);
      }
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      pauseMs = Math.min(pauseMs * 2, pause.longestMs);
      if (isOver()) return;
      since = Date.now();
      running = await startAgain().catch((error: unknown) => {
        if (!isOver()) hooks.onTrouble(messageOf(error));
        return null;
      });
    }
  }

  return {
    async keepRunning(name, start) {
      const started = await start(spawned(name));
      void watch(name, started, () => start(spawned(name)));
      return started;
    },
    pids: () => Object.fromEntries([...processes].map(([name, { pid }]) => [name, pid])),
    restart(name) {
      const identity = processes.get(name);
      if (identity !== undefined) signal(identity, 'SIGTERM');
    },
    async stop(name, gently, timeoutMs) {
      stopping.abort();
      const identity = processes.get(name);
      if (identity === undefined) return false;
      signal(identity, gently);
      if (!(await waitForEnd(identity, timeoutMs))) {
        signal(identity, 'SIGKILL', 'group');
        await waitForEnd(identity, 1000);
      }
      processes.delete(name);
      record.set(name, null);
      return true;
    },
    letGo: () => stopping.abort(),
    kill() {
      stopping.abort();
      for (const identity of processes.values()) signal(identity, 'SIGKILL', 'group');
    },
  };
}
