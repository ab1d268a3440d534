import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { readJson } from './files.js';
import { identify, isRunning, type ProcessIdentity } from './process-identity.js';

const lockFile = /^lock\.\d+$/;

/** A lock that is held until it is released or its process ends in any way. */
export interface ProcessLock {
  release(): void;
}

/**
 * Locks a folder. Each process that wants the lock creates a file of its own there, then looks for files of other
 * running processes. If two come at the same time, at least one sees the other; it withdraws and retries a few times.
 * Returns the lock, or the pid of the process that holds it.
 */
export async function lockFolder(folder: string): Promise<ProcessLock | { readonly heldBy: number }> {
  const self = identify(process.pid);
  if (self === null) throw new Error('This process cannot find out when it was started.');
  const own = join(folder, `lock.${process.pid}`);
  const release = (): void => rmSync(own, { force: true });
  for (let tries = 0; ; tries++) {
    writeFileSync(`${own}.new`, JSON.stringify(self), { mode: 0o600 });
    renameSync(`${own}.new`, own);
    const other = holderBesides(own, folder);
    if (other === null) return { release };
    release();
    if (tries === 5) return { heldBy: other.pid };
    await sleep(30 + Math.random() * 100);
  }
}

function holderBesides(own: string, folder: string): ProcessIdentity | null {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (!lockFile.test(name) || path === own) continue;
    const holder = readJson(path) as ProcessIdentity | null;
    if (holder !== null && isRunning(holder)) return holder;
    rmSync(path, { force: true });
  }
  return null;
}
