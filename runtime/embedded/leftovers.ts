import { openStatusFile, readJson } from './files.js';
import { isRunning, signal, waitForEnd, type ProcessIdentity } from './process-identity.js';

/** The processes of a data directory by name, kept in a file for the next start after a crash. */
export interface ProcessRecord {
  /** Records a process, replacing an earlier one of this name. */
  set(name: string, identity: ProcessIdentity | null): void;
}

/** Signals for a graceful stop; PostgreSQL treats SIGINT as a fast shutdown. */
const gentle: Readonly<Record<string, NodeJS.Signals>> = { postgres: 'SIGINT' };

/** A worker takes up to 8 s to finish or release its activities. */
const gentleMs = 9000;

export function recordProcesses(file: string): ProcessRecord {
  const processes = new Map<string, ProcessIdentity>();
  const record = openStatusFile(file);
  return {
    set(name, identity) {
      if (identity === null) processes.delete(name);
      else processes.set(name, identity);
      record.write(`${JSON.stringify(Object.fromEntries(processes), null, 2)}\n`);
    },
  };
}

/**
 * Ends the processes that a dead supervisor left running, API and worker before their dependencies. Returns the names
 * of those that were still running.
 */
export async function endLeftovers(file: string): Promise<string[]> {
  const recorded = (readJson(file) ?? {}) as Record<string, ProcessIdentity>;
  const found = Object.entries(recorded).filter(([, identity]) => isRunning(identity));
  const isStore = ([name]: [string, ProcessIdentity]): boolean => name === 'postgres' || name === 'temporal';
  for (const group of [found.filter((entry) => !isStore(entry)), found.filter(isStore)]) {
    await Promise.all(group.map(([name, identity]) => end(identity, gentle[name] ?? 'SIGTERM')));
  }
  return found.map(([name]) => name);
}

async function end(identity: ProcessIdentity, gently: NodeJS.Signals): Promise<void> {
  signal(identity, gently);
  if (await waitForEnd(identity, gentleMs)) return;
  signal(identity, 'SIGKILL', 'group');
  await waitForEnd(identity, 2000);
}
