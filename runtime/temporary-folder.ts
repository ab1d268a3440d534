import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Says in one sentence that no temporary folder can be created, and why; null if one can.
 *
 * @param ignored Codes of errors that do not matter
 */
export function temporaryFolderProblem(ignored: readonly string[] = []): string | null {
  try {
    rmdirSync(mkdtempSync(join(tmpdir(), 'kw-')));
    return null;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (ignored.includes(code)) return null;
    return `TMPDIR: no temporary folder can be created in ${tmpdir()} (${code}).`;
  }
}
