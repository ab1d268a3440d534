import { execFileSync } from 'node:child_process';

/** Measures the memory of processes. */
export interface MemoryWatch {
  /** Stops measuring. Returns the peak growth of each process in MiB, in the given order. */
  growth(): number[];
}

function residentMib(pids: readonly number[]): Map<number, number> {
  const lines = execFileSync('ps', ['-o', 'pid=,rss=', '-p', pids.join(',')], { encoding: 'utf8' });
  const rows = lines
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  return new Map(rows.map(([pid = 0, kib = 0]) => [pid, kib / 1024]));
}

/** Measures the resident memory of processes every 50 ms while one of them runs. */
export function watchMemory(pids: readonly number[]): MemoryWatch {
  const before = residentMib(pids);
  const peak = new Map(before);
  const look = (): void => {
    for (const [pid, mib] of residentMib(pids)) peak.set(pid, Math.max(mib, peak.get(pid) ?? 0));
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
      return pids.map((pid) => (peak.get(pid) ?? 0) - (before.get(pid) ?? 0));
    },
  };
}
