import { readFileSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/**
 * The niceness of processes that work in the background: the worker and the embedded Temporal server. The API and the
 * database answer people, so they come first when all processors are busy. At 6, background work still gets 21 % of a
 * processor that another process wants for itself; a parser, at 9, 12 %.
 */
const niceness = 6;

/** Gives way to processes of normal priority. Threads and children that start later inherit it. */
export function workInBackground(pid = process.pid): void {
  try {
    setPriority(pid, niceness);
    if (isSessionLeader(pid)) writeFileSync(`/proc/${pid}/autogroup`, String(niceness));
  } catch {
    // The process has ended, or the system has no priorities or no such file. All of these can be ignored.
  }
}

/**
 * Linux gives every session the same share of the processors, whatever the niceness of its processes; the session as a
 * whole has a niceness of its own (sched(7), "The autogroup feature").
 */
function isSessionLeader(pid: number): boolean {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The fields after the command, which is in parentheses: state, parent, process group, session (proc_pid_stat(5)).
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3]) === pid;
}
