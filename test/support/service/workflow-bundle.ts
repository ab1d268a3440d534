import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../temporary.js';

/** The name of the package `@temporalio/workflow` in bundled code: `${sdk}.sleep(1)`. */
export const sdk = '_temporalio_workflow__WEBPACK_IMPORTED_MODULE_0__';

/** Writes the workflow bundle with extra code at the beginning of each run. Returns its path. */
export function bundleWith(code: string): string {
  const begin = 'async function processResource(input) {';
  const bundle = readFileSync('dist/workflow-bundle.js', 'utf8');
  assert.equal(bundle.split(begin).length, 2);
  const path = join(temporaryFolder(), 'bundle.js');
  writeFileSync(
    path,
    bundle.replace(begin, () => `${begin}\n${code}`),
  );
  return path;
}
