import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const top = fileURLToPath(new URL('../..', import.meta.url));

describe('the types that the page is written against', () => {
  it('are those of the OpenAPI document', () => {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/web-types.mjs', '--check'], {
      cwd: top,
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
  });
});
