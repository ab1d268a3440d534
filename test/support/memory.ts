import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Measures the memory of processes. */
export interface MemoryWatch {
  /** Stops measuring. Returns the peak growth of each process in MiB, in the given order. */
  growth(): number[];
}

/** See `plugins/host/memory-watch.ts`. */
const pageKib = 4;

function residentMib(pid: number): number {
  const kib =
    process.platform === 'linux'
      ? Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]) * pageKib
      : Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }));
  return kib / 1024;
}

/** Measures the resident memory of processes every 50 ms while all of them run. */
export function watchMemory(pids: readonly number[]): MemoryWatch {
  const before = pids.map(residentMib);
  let peak = before;
  const look = (): void => {
    peak = peak.map((mib, at) => Math.max(mib, residentMib(pids[at]!)));
  };
  const timer = setInterval(() => {
    try {
      look();
    } catch {
      // A test that failed stops its processes without asking for the growth.
      clearInterval(timer);
    }
  }, 50);
  return {
    growth() {
      look();
      clearInterval(timer);
      return peak.map((mib, at) => mib - before[at]!);
    },
  };
}
