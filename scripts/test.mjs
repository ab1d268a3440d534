// Builds, then runs mocha over the tests: all of them, or the files named. Other arguments go to mocha as they are.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(join(dirname(fileURLToPath(import.meta.url)), '..'));

function run(...args) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

const given = process.argv.slice(2);
const namesFiles = given.some((arg) => !arg.startsWith('-') && (existsSync(arg) || arg.includes('*')));

// eslint-disable-next-line no-restricted-properties -- conventions of CI systems, no settings of ours
const { CI, TEST_TOTALS_FILE } = process.env;

run('scripts/build.mjs');
// A single test says itself what it lacks.
if (!namesFiles) run('--import=tsx', 'scripts/prepare-tests.mjs');
run(
  'node_modules/mocha/bin/mocha.js',
  ...(CI ? ['--forbid-only'] : []),
  ...(TEST_TOTALS_FILE
    ? ['--reporter=scripts/count-reporter.mjs', `--reporter-option=totals=${TEST_TOTALS_FILE}`]
    : []),
  ...given,
  ...(namesFiles ? [] : ['test/**/*.test.ts']),
);
