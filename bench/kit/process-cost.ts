import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Seconds of processor time that a process has used, of all its threads (Linux: proc(5), utime and stime). */
export function cpuSeconds(pid: number): number {
  const { own } = statOf(pid);
  return own / ticksPerSecond;
}

/** The same of a process and its children, those that have ended included (proc(5), cutime and cstime). */
export function cpuSecondsWithChildren(pid: number): number {
  const { own, ended } = statOf(pid);
  let ticks = own + ended;
  for (const child of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = statOf(Number(child));
      if (stat.parent === pid) ticks += stat.own + stat.ended;
    } catch {
      // It has ended meanwhile.
    }
  }
  return ticks / ticksPerSecond;
}

/** Clock ticks that a process has used, and those of its children that have ended. */
function statOf(pid: number): { readonly parent: number; readonly own: number; readonly ended: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const at = (index: number): number => fields[index] ?? Number.NaN;
  return { parent: at(1), own: at(11) + at(12), ended: at(13) + at(14) };
}

/** MiB of memory that a process holds (resident set). */
export function residentMib(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

/** The most memory in MiB that some processes hold, each for itself, while something goes on. */
export async function peaksDuring(pids: readonly number[], work: () => Promise<unknown>): Promise<number[]> {
  let peaks = pids.map(residentMib);
  const look = (): void =>
    void (peaks = pids.map((pid, index) => Math.max(peaks[index] ?? 0, residentMib(pid))));
  const timer = setInterval(look, 50);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  look();
  return peaks;
}
