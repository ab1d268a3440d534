import { setPriority } from 'node:os';

/**
 * The niceness of processes that work in the background: the worker and the embedded Temporal server. The API and the
 * database answer people, so they come first when all processors are busy. At 4, background work still gets 29 % of a
 * processor that another process wants for itself; a parser, at 7, 17 %.
 */
const niceness = 4;

/** Gives way to processes of normal priority. Threads that start later inherit it. */
export function workInBackground(pid = process.pid): void {
  try {
    setPriority(pid, niceness);
  } catch {
    // The process has ended, or the system has no priorities. Neither matters.
  }
}
