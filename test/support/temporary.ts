import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { atExit } from './at-exit.js';

/** A run writes several GB and removes most of it. In memory this takes only a third of the CPU system time. */
const roomyBytes = 8 * 1024 ** 3;
const memoryFolder = '/dev/shm';

function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= roomyBytes;
}

const parent = hasRoom(memoryFolder) ? memoryFolder : tmpdir();

/**
 * Creates an empty folder that is removed at the end of the run. Other users may traverse it: started by root,
 * PostgreSQL runs as another user.
 */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(parent, 'kw-test-'));
  chmodSync(folder, 0o711);
  atExit(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}
