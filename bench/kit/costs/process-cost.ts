import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { whileSampling } from './sampling.js';

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Returns the seconds of processor time of all threads of a process (Linux: proc(5), utime and stime). */
export function cpuSeconds(pid: number): number {
  const { own } = statOf(pid);
  return own / ticksPerSecond;
}

/** Like `cpuSeconds`, including all children, even those that have ended (proc(5), cutime and cstime). */
export function cpuSecondsWithChildren(pid: number): number {
  const { own, ended } = statOf(pid);
  let ticks = own + ended;
  for (const child of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = statOf(Number(child));
      if (stat.parent === pid) ticks += stat.own + stat.ended;
    } catch {
      // The process has ended meanwhile.
    }
  }
  return ticks / ticksPerSecond;
}

/** Returns the clock ticks used by a process, and by its ended children. */
function statOf(pid: number): { readonly parent: number; readonly own: number; readonly ended: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const at = (index: number): number => fields[index] ?? Number.NaN;
  return { parent: at(1), own: at(11) + at(12), ended: at(13) + at(14) };
}

/** Returns the memory of a process in MiB (resident set size). */
export function residentMib(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

/** Returns the peak memory of each process in MiB while some work runs. */
export async function peaksDuring(pids: readonly number[], work: () => Promise<unknown>): Promise<number[]> {
  const peaks = pids.map(() => 0);
  const sample = (): void => {
    for (const [index, pid] of pids.entries()) peaks[index] = Math.max(peaks[index]!, residentMib(pid));
  };
  await whileSampling(50, sample, work);
  return peaks;
}
