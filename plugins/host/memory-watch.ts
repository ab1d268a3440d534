import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const intervalMs = 50;
/** Linux's page size on the platforms Node is built for, except for a few arm64 kernels, which have larger ones. */
const pageBytes = 4096;

const run = promisify(execFile);

/** Returns a process's resident memory in bytes, or null if it is unknown. */
async function residentBytes(pid: number): Promise<number | null> {
  try {
    if (process.platform === 'linux') {
      const [, resident] = (await readFile(`/proc/${pid}/statm`, 'latin1')).split(' ');
      return Number(resident) * pageBytes;
    }
    if (process.platform === 'win32') return null;
    const { stdout } = await run('/bin/ps', ['-o', 'rss=', '-p', String(pid)]);
    return Number(stdout) * 1024;
  } catch {
    return null;
  }
}

export interface MemoryWatch {
  peakBytes(): number;
  end(): void;
}

/**
 * Calls `onExceeded` once when a process holds more than `limitBytes` of resident memory. Measures from outside,
 * because timers of a busy process do not run.
 */
export function watchMemory(pid: number, limitBytes: number, onExceeded: () => void): MemoryWatch {
  let ended = false;
  let peak = 0;
  const look = async (): Promise<void> => {
    const bytes = await residentBytes(pid);
    if (ended) return;
    peak = Math.max(peak, bytes ?? 0);
    if (bytes !== null && bytes > limitBytes) {
      ended = true;
      onExceeded();
    } else {
      timer = setTimeout(() => void look(), intervalMs);
    }
  };
  let timer = setTimeout(() => void look(), intervalMs);
  return {
    peakBytes: () => peak,
    end: () => {
      ended = true;
      clearTimeout(timer);
    },
  };
}
