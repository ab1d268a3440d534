import { setTimeout as sleep } from 'node:timers/promises';
import { atExit } from '../support/at-exit.js';
import { seededRandom } from '../support/models/random.js';
import { parts, type Part, type SoakStack } from './parts.js';
import { processTree } from './process-tree.js';

export const faultKinds = ['killed', 'frozen', 'disconnected'] as const;
export type FaultKind = (typeof faultKinds)[number];

/** What happens to the parts again and again, to each one thing at a time. */
export interface Faults {
  /** So far, by part. */
  readonly counts: Readonly<Record<Part, Record<FaultKind, number>>>;
  /** What happened when, for who looks for the cause of a finding. */
  readonly history: readonly string[];
  /** The pids of what was killed. */
  readonly killed: ReadonlySet<number>;
  /** What can happen to a part. */
  readonly kindsOf: (part: Part) => readonly FaultKind[];
  /** Ends it, once or again: what was killed is being started again, all else is back. */
  stop(): Promise<void>;
}

/** Seconds that a part is left alone, its start included; and that it is frozen, or its connections are refused. */
const spans = { alone: [8, 45], frozen: [1, 15], disconnected: [1, 10] } as const;

const kindsOf = (part: Part): readonly FaultKind[] => (part === 'store' ? ['disconnected'] : faultKinds);

/** Kills, freezes and disconnects API, worker, PostgreSQL and Temporal, and disconnects the object store, at random. */
export function startFaults({ stack, networks }: SoakStack, seed: number): Faults {
  const over = new AbortController();
  const counts = Object.fromEntries(
    parts.map((part) => [part, { killed: 0, frozen: 0, disconnected: 0 }]),
  ) as Record<Part, Record<FaultKind, number>>;
  const history: string[] = [];
  const killed = new Set<number>();
  const frozen = new Set<number>();
  // Who is frozen does not notice that the others have ended.
  atExit(() => signalAll([...frozen], 'SIGCONT'));
  const pause = (seconds: number): Promise<unknown> =>
    sleep(seconds * 1000, undefined, { signal: over.signal }).catch(() => undefined);
  const pidOf = (part: Part): number => stack.stack().processes[part]!;

  const inflict: Record<FaultKind, (part: Part, between: Between) => Promise<void>> = {
    async killed(part) {
      const pid = pidOf(part);
      killed.add(pid);
      if (!signalAll([pid], 'SIGKILL')) killed.delete(pid);
      while (pidOf(part) === pid && !over.signal.aborted) await pause(0.1);
    },
    async frozen(part, between) {
      const pids = freeze(pidOf(part));
      for (const pid of pids) frozen.add(pid);
      await pause(between(spans.frozen));
      signalAll(pids, 'SIGCONT');
      for (const pid of pids) frozen.delete(pid);
    },
    async disconnected(part, between) {
      await networks[part].set('refuse');
      await pause(between(spans.disconnected));
      await networks[part].set('pass');
    },
  };

  const haunt = async (part: Part, random: () => number): Promise<void> => {
    const between: Between = ([least, most]) => least + random() * (most - least);
    let next: FaultKind[] = [];
    for (;;) {
      await pause(between(spans.alone));
      if (over.signal.aborted) return;
      if (next.length === 0) next = shuffled(kindsOf(part), random);
      const kind = next.pop()!;
      counts[part][kind] += 1;
      const began = new Date().toISOString();
      await inflict[kind](part, between);
      history.push(`${began} to ${new Date().toISOString()}: ${part} ${kind}`);
    }
  };

  const haunting = Promise.all(parts.map((part, index) => haunt(part, seededRandom(seed + index))));
  return {
    counts,
    history,
    killed,
    kindsOf,
    async stop() {
      over.abort();
      await haunting;
    },
  };
}

type Between = (span: readonly [number, number]) => number;

/** Stops a process and all below it: a parent first, which starts no more then. Returns their pids. */
function freeze(root: number): readonly number[] {
  const pids = new Set<number>();
  for (let found = [root]; found.length > 0; found = processTree(root).filter((pid) => !pids.has(pid))) {
    signalAll(found, 'SIGSTOP');
    for (const pid of found) pids.add(pid);
  }
  return [...pids];
}

/** Returns whether there was one of them. */
function signalAll(pids: readonly number[], name: NodeJS.Signals): boolean {
  const isSent = (pid: number): boolean => {
    try {
      return process.kill(pid, name);
    } catch (error) {
      // It ended by itself, which who watches the processes tells.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      return false;
    }
  };
  return pids.map(isSent).some(Boolean);
}

function shuffled<T>(values: readonly T[], random: () => number): T[] {
  return values
    .map((value) => ({ value, place: random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ value }) => value);
}
