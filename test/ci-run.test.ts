import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { temporaryFolder } from './support/temporary.js';

const top = fileURLToPath(new URL('..', import.meta.url));

interface CiRun {
  readonly last: string;
  readonly code: number | null;
  /** The steps that it came to. */
  readonly steps: readonly string[];
}

/** Runs .ci/run in a project whose `npm` is a shell script. */
function ciRun(npm: string): CiRun {
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
  const lines = stdout.trimEnd().split('\n');
  const steps = lines.flatMap((line) => /^== npm (?:run )?(\S+)/.exec(line)?.[1] ?? []);
  return { last: lines.at(-1)!, code: status, steps };
}

/** An `npm test` that runs real mocha with the reporter over one file, as scripts/test.mjs does. */
function mocha(spec: string): string {
  const file = join(temporaryFolder(), 'some.test.cjs');
  writeFileSync(file, spec);
  const program = join(top, 'node_modules/mocha/bin/mocha.js');
  const reporter = join(top, 'scripts/test-reporter.mjs');
  return `[ "$1" != test ] || exec ${process.execPath} ${program} --no-config --reporter ${reporter} --reporter-option totals=$TEST_TOTALS_FILE ${file}`;
}

const passing = mocha("it('a', () => {});");
const quick = ['ci', 'check', 'check:commits'];
const all = [...quick, 'test', 'fuzz', 'check:audit'];

describe('.ci/run', () => {
  it('counts the tests and one for each check', () => {
    const npm = mocha("it('a', () => {}); it('b', () => {}); it('c');");
    assert.deepEqual(ciRun(npm), { last: '7 passed, 0 failed', code: 0, steps: all });
  });

  it('counts failures, including those of hooks', () => {
    const npm = mocha("it('a', () => {}); it('b', () => { throw 1; }); after(() => { throw 2; });");
    assert.deepEqual(ciRun(npm), { last: '6 passed, 2 failed', code: 1, steps: all });
  });

  it('stops after the quick checks when one of them fails', () => {
    for (const [step, last] of [
      ['check', '2 passed, 1 failed'],
      ['check:commits', '2 passed, 1 failed'],
    ])
      assert.deepEqual(ciRun(`[ "$2" != ${step} ] || exit 2\n${passing}`), { last, code: 1, steps: quick });
    assert.deepEqual(ciRun('[ "$1" != ci ] || exit 1'), {
      last: '0 passed, 1 failed',
      code: 1,
      steps: ['ci'],
    });
  });

  for (const step of ['check:audit', 'fuzz']) {
    it(`counts the step ${step}`, () => {
      const npm = `[ "$2" != ${step} ] || exit 1\n${passing}`;
      assert.deepEqual(ciRun(npm), { last: '5 passed, 1 failed', code: 1, steps: all });
    });
  }

  it('fails when the tests crash, and when there are none', () => {
    for (const npm of [
      mocha("it('a', () => {}); it('b', () => process.exit(0));"),
      mocha("it('a', () => {}); process.on('exit', () => process.kill(process.pid, 'SIGKILL'));"),
      mocha(''),
    ]) {
      const { last, code } = ciRun(npm);
      assert.match(last, /^[56] passed, 1 failed$/);
      assert.equal(code, 1);
    }
  });
});
