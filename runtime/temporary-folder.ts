import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The folder that LanceDB uses. Unlike Node, it does not read TMP and TEMP, except on Windows. */
const temporaryFolder = (): string =>
  // oxlint-disable-next-line no-restricted-properties -- a variable of LanceDB
  process.platform === 'win32' ? tmpdir() : process.env['TMPDIR'] || '/tmp';

/**
 * Says in one sentence that no temporary folder can be created, and why; null if one can.
 *
 * @param ignored Codes of errors that do not matter
 */
export function temporaryFolderProblem(ignored: readonly string[] = []): string | null {
  const folder = temporaryFolder();
  try {
    rmdirSync(mkdtempSync(join(folder, 'kw-')));
    return null;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (ignored.includes(code)) return null;
    return `TMPDIR: no temporary folder can be created in ${folder} (${code}).`;
  }
}
