import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { temporaryFolder } from './support/temporary.js';

const top = fileURLToPath(new URL('..', import.meta.url));

/** Runs .ci/run in a project whose `npm` is a shell script, and returns its last line and exit code. */
function ciRun(npm: string): { readonly last: string; readonly code: number | null } {
  const folder = temporaryFolder();
  mkdirSync(join(folder, '.ci'));
  mkdirSync(join(folder, 'bin'));
  copyFileSync(join(top, '.ci/run'), join(folder, '.ci/run'));
  writeFileSync(join(folder, 'bin/npm'), `#!/bin/sh\n${npm}\n`, { mode: 0o755 });
  const { stdout, status } = spawnSync('bash', ['.ci/run'], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, PATH: [join(folder, 'bin'), process.env['PATH']].join(delimiter) },
  });
  return { last: stdout.trimEnd().split('\n').at(-1)!, code: status };
}

/** An `npm test` that runs real mocha with the reporter over one file, as scripts/test.mjs does. */
function mocha(spec: string): string {
  const file = join(temporaryFolder(), 'some.test.cjs');
  writeFileSync(file, spec);
  const program = join(top, 'node_modules/mocha/bin/mocha.js');
  const reporter = join(top, 'scripts/count-reporter.mjs');
  return `[ "$1" != test ] || exec ${process.execPath} ${program} --no-config --reporter ${reporter} --reporter-option totals=$TEST_TOTALS_FILE ${file}`;
}

describe('.ci/run', () => {
  it('counts the tests and one for each check', () => {
    const npm = mocha("it('a', () => {}); it('b', () => {}); it('c');");
    assert.deepEqual(ciRun(npm), { last: '8 passed, 0 failed', code: 0 });
  });

  it('counts what fails, hooks included', () => {
    const npm = mocha("it('a', () => {}); it('b', () => { throw 1; }); after(() => { throw 2; });");
    assert.deepEqual(ciRun(npm), { last: '7 passed, 2 failed', code: 1 });
  });

  it('counts a check that fails', () => {
    const npm = `[ "$2" != check:lint ] || exit 2\n${mocha("it('a', () => {});")}`;
    assert.deepEqual(ciRun(npm), { last: '6 passed, 1 failed', code: 1 });
  });

  for (const step of ['check:audit', 'fuzz']) {
    it(`counts the step ${step}`, () => {
      const npm = `[ "$2" != ${step} ] || exit 1\n${mocha("it('a', () => {});")}`;
      assert.deepEqual(ciRun(npm), { last: '6 passed, 1 failed', code: 1 });
    });
  }

  it('fails when the tests crash, when there are none, and when nothing can be installed', () => {
    for (const npm of [
      mocha("it('a', () => {}); it('b', () => process.exit(0));"),
      mocha("it('a', () => {}); process.on('exit', () => process.kill(process.pid, 'SIGKILL'));"),
      mocha(''),
      '[ "$1" != ci ] || exit 1',
    ]) {
      const { last, code } = ciRun(npm);
      assert.match(last, /^[67] passed, 1 failed$/);
      assert.equal(code, 1);
    }
  });
});
