import { readFile } from 'node:fs/promises';

/** Linux counts processor time in these parts of a second, on all platforms Node is built for. */
const ticksPerSecond = 100;
const leastPauseMs = 100;

/** Returns the processor time that a process has used in seconds, or null if it is unknown. */
async function processorSeconds(pid: number): Promise<number | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
    // The fields after the command, which is in parentheses; utime and stime are the 14th and 15th of all
    // (proc_pid_stat(5)).
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13);
    return (Number(user) + Number(system)) / ticksPerSecond;
  } catch {
    return null;
  }
}

export interface TimeWatch {
  end(): void;
}

/**
 * Calls `onExceeded` once when a process has run for `limitSeconds` from now, and has used the processor for at least
 * half of that: a process that others keep from working gets more time. On systems without /proc, only the time counts.
 */
export function watchTime(pid: number, limitSeconds: number, onExceeded: () => void): TimeWatch {
  let ended = false;
  const usedBefore = processorSeconds(pid);
  const look = async (): Promise<void> => {
    const [before, now] = [await usedBefore, await processorSeconds(pid)];
    if (ended) return;
    // If nothing more is known of the process, it has just ended, and its exit says how.
    const leftSeconds = before === null ? 0 : limitSeconds / 2 - ((now ?? before) - before);
    if (leftSeconds <= 0) onExceeded();
    else timer = setTimeout(() => void look(), Math.max(leastPauseMs, leftSeconds * 1000));
  };
  let timer = setTimeout(() => void look(), limitSeconds * 1000);
  return {
    end: () => {
      ended = true;
      clearTimeout(timer);
    },
  };
}
