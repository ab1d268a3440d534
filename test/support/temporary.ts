import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { atExit } from './at-exit.js';

/** A run writes several GB, most of which it removes again: in memory that takes a third of the system's time for it. */
const roomyBytes = 8 * 1024 ** 3;
const memoryFolder = '/dev/shm';

function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= roomyBytes;
}

const parent = hasRoom(memoryFolder) ? memoryFolder : tmpdir();

/**
 * Makes an empty folder that is removed at the end of the run. Other users may pass through it: started by root,
 * PostgreSQL runs as one of them.
 */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(parent, 'kw-test-'));
  chmodSync(folder, 0o711);
  atExit(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}
