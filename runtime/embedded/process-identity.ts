import { execFileSync, type ExecFileSyncOptionsWithStringEncoding } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Identifies a process even if its pid is reused later. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Its start time, in a system-specific format. */
  readonly started: string;
}

/** The identity of a running process, or null if no process has this pid (zombies do not count). */
export function identify(pid: number): ProcessIdentity | null {
  try {
    const started = process.platform === 'linux' ? startedLinux(pid) : startedByPs(pid);
    return started === null ? null : { pid, started };
  } catch {
    return null;
  }
}

/** Whether exactly this process is still running. */
export function isRunning(identity: ProcessIdentity): boolean {
  return identify(identity.pid)?.started === identity.started;
}

/** Sends a signal to a process or its process group; does nothing if it has ended. */
export function signal(
  identity: ProcessIdentity,
  name: NodeJS.Signals,
  target: 'process' | 'group' = 'process',
): void {
  if (!isRunning(identity)) return;
  try {
    process.kill(target === 'group' ? -identity.pid : identity.pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Waits at most `timeoutMs` until the process has ended. Returns whether it has. */
export async function waitForEnd(identity: ProcessIdentity, timeoutMs: number): Promise<boolean> {
  const until = performance.now() + timeoutMs;
  while (isRunning(identity)) {
    if (performance.now() >= until) return false;
    await sleep(20);
  }
  return true;
}

/** The command line of a running process; empty if there is none or it cannot be read. */
export function commandOf(pid: number): string {
  try {
    return process.platform === 'linux'
      ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      : execFileSync('ps', ['-o', 'command=', '-p', String(pid)], psOptions);
  } catch {
    return '';
  }
}

const psOptions: ExecFileSyncOptionsWithStringEncoding = {
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'ignore'],
  env: { LC_ALL: 'C', PATH: '/bin:/usr/bin' },
};

/** See proc_pid_stat(5): the state is the third field, the start time in clock ticks since boot the 22nd. */
function startedLinux(pid: number): string | null {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (state === 'Z' || state === 'X') return null;
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return `${boot} ${rest[18] ?? ''}`;
}

function startedByPs(pid: number): string | null {
  const [state = '', ...started] = execFileSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], psOptions)
    .trim()
    .split(/\s+/);
  return state === '' || state.startsWith('Z') ? null : started.join(' ');
}
