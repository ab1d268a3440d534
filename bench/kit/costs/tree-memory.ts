import { readdirSync, readFileSync } from 'node:fs';
import { whileSampling } from './sampling.js';

/**
 * Returns the peak memory in MiB of each process with all its descendants while some work runs. Shared pages count once
 * (Linux: proc(5), Pss in smaps_rollup). Samples ten times per second.
 */
export async function treePeaksDuring(
  pids: readonly number[],
  work: () => Promise<unknown>,
): Promise<number[]> {
  const peaks = pids.map(() => 0);
  const sample = (): void => {
    const children = childrenOfAll();
    for (const [index, pid] of pids.entries()) peaks[index] = Math.max(peaks[index]!, treeMib(pid, children));
  };
  await whileSampling(100, sample, work);
  return peaks;
}

function treeMib(pid: number, children: ReadonlyMap<number, readonly number[]>): number {
  const below = children.get(pid) ?? [];
  return below.reduce((sum, child) => sum + treeMib(child, children), ownMib(pid));
}

function ownMib(pid: number): number {
  return Number(/^Pss:\s+(\d+) kB$/m.exec(readProc(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) / 1024;
}

function childrenOfAll(): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const parent = Number(/^PPid:\s+(\d+)$/m.exec(readProc(`/proc/${name}/status`))?.[1]);
    if (Number.isNaN(parent)) continue;
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  return children;
}

/** Returns a file of a process; empty if it has ended. */
function readProc(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
