import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { atExit } from './at-exit.js';

/**
 * Makes an empty folder that is removed at the end of the run. Other users may pass through it: started by root,
 * PostgreSQL runs as one of them.
 */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kw-test-'));
  chmodSync(folder, 0o711);
  atExit(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}
