import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import type { TestStack } from '../support/service/stack.js';
import type { Faults } from './faults.js';
import type { SoakStack } from './parts.js';

/** What a process held at one time. */
interface Sample {
  readonly pid: number;
  readonly mib: number;
  /** Null where the system does not tell. */
  readonly descriptors: number | null;
}

/** What a process held at first and at last, each the median of a quarter of the samples. */
export interface Trend {
  readonly name: string;
  readonly samples: number;
  readonly mib: readonly [number, number];
  readonly descriptors: readonly [number, number] | null;
}

/** Started again and again until they run: of these the supervisor says which that ran has ended, and how. */
const servers = ['postgres', 'temporal'] as const;

/**
 * Looks for processes of a stack that ended until it is stopped, to find those that were not killed. It looks more
 * often than a process that dies is started again.
 */
export function watchEnds({ stack, output }: SoakStack, faults: Faults): { stop(): string[] } {
  const pids = new Map<string, number>();
  const ended: string[] = [];
  const look = (): void => {
    for (const [name, pid] of Object.entries(stack.stack().processes)) {
      const last = pids.get(name) ?? pid;
      const isServer = servers.some((server) => server === name);
      if (last !== pid && !isServer && !faults.killed.has(last))
        ended.push(`${name} (${last}) ended by itself`);
      pids.set(name, pid);
    }
  };
  const stopLooking = lookEvery(200, look);
  return {
    stop() {
      stopLooking();
      for (const name of servers) {
        const ways = [...output().matchAll(new RegExp(`^  ${name} has ended \\((.*)\\)`, 'gm'))].map(
          ([, how]) => how,
        );
        for (const how of ways) if (how !== 'SIGKILL') ended.push(`${name} ended by itself: ${how}`);
        const kills = ways.filter((how) => how === 'SIGKILL').length;
        if (kills > faults.counts[name].killed)
          ended.push(`${name} was killed ${kills} times, ${faults.counts[name].killed} of them by the soak`);
      }
      return ended;
    },
  };
}

/** Looks at every process of a stack once a second until it is stopped. */
export function watchProcesses(stack: TestStack): { stop(): Trend[] } {
  const samples = new Map<string, Sample[]>();
  const look = (): void => {
    for (const [name, pid] of Object.entries(stack.stack().processes)) {
      const sample = sampleOf(pid);
      if (sample === null) continue;
      const known = samples.get(name);
      // Another process has nothing to do with the one before it.
      if (known?.[0]?.pid === pid) known.push(sample);
      else samples.set(name, [sample]);
    }
  };
  const stopLooking = lookEvery(1000, look);
  return {
    stop() {
      stopLooking();
      return [...samples].map(([name, of]) => trendOf(name, of));
    },
  };
}

/** Looks now, again and again, and once more when it is stopped. */
function lookEvery(ms: number, look: () => void): () => void {
  look();
  const timer = setInterval(look, ms);
  return () => {
    clearInterval(timer);
    look();
  };
}

function sampleOf(pid: number): Sample | null {
  try {
    const mib = Number(execFileSync('ps', ['-o', 'rss=', '-p', `${pid}`], { encoding: 'utf8' })) / 1024;
    const folder = `/proc/${pid}/fd`;
    return { pid, mib, descriptors: existsSync(folder) ? readdirSync(folder).length : null };
  } catch {
    return null;
  }
}

function trendOf(name: string, samples: readonly Sample[]): Trend {
  const quarter = Math.max(1, Math.floor(samples.length / 4));
  const ends = (of: (sample: Sample) => number): [number, number] => [
    median(samples.slice(0, quarter).map(of)),
    median(samples.slice(-quarter).map(of)),
  ];
  return {
    name,
    samples: samples.length,
    mib: ends((sample) => sample.mib),
    descriptors: samples.some((sample) => sample.descriptors === null)
      ? null
      : ends((sample) => sample.descriptors ?? 0),
  };
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
