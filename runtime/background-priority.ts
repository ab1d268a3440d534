import { setPriority } from 'node:os';

/**
 * The niceness of processes that work in the background: worker, parsers and the embedded Temporal server. The API and
 * the database answer people, so they come first when all processors are busy. At 5, background work still gets a
 * quarter of a processor that another process wants for itself.
 */
const niceness = 5;

/** Gives way to processes of normal priority. Children and threads that start later inherit it. */
export function workInBackground(pid = process.pid): void {
  try {
    setPriority(pid, niceness);
  } catch {
    // It has ended, or the system has no priorities. Everything works without.
  }
}
