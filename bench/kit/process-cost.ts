import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Seconds of processor time that a process has used, of all its threads (Linux: proc(5), utime and stime). */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
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
