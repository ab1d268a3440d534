// Builds, then runs mocha for all tests or for the given files. Passes other arguments to mocha unchanged.
//
// All tests: several processes share the files; "--jobs" sets their number. "--full" adds the files that end in
// .full.test.ts, which take long by design.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

process.chdir(join(import.meta.dirname, '..'));

const isFull = process.argv.includes('--full');
const env = {
  // oxlint-disable-next-line no-restricted-properties -- passed on to mocha, not read as settings
  ...process.env,
  ...(isFull && { KW_TEST_FULL: 'true' }),
  // Halves the memory of the test processes, and thus the time that each of their forks takes (glibc).
  MALLOC_ARENA_MAX: '2',
};

function run(...args) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', env });
  if (status !== 0) process.exit(status ?? 1);
}

/** The slowest files and then folders run first, so that no process is left with a slow one at the end. */
const slowest = [
  'test/cli/plugins-check',
  'test/browser/resources.test.ts',
  'test/browser/plugins.test.ts',
  'test/browser/live.test.ts',
  'test/workflows/operator-actions.test.ts',
  'test/system/kills.test.ts',
  'test/workflows/http-steps.test.ts',
  'test/workflows/failing-tasks.test.ts',
  'test/faults/object-store.test.ts',
  'test/faults/worker-kills.test.ts',
  'test/api/search.test.ts',
  'test/system/rolling-restart.test.ts',
  'test/api/event-loop.test.ts',
  'test/system/observability.test.ts',
  'test/system/plugin-workers.test.ts',
  'test/system/replicas.test.ts',
  'test/workflows/activity-steps.test.ts',
  'test/system/generated-clients.test.ts',
  'test/faults/temporal.test.ts',
  'test/browser/accessibility.test.ts',
  'test/cli/resources.test.ts',
  'test/cli/start.test.ts',
  'test/plugins/sdk-workers.test.ts',
  'test/runtime/search-index.test.ts',
  'test/storage/object-store.test.ts',
  'test/system',
  'test/browser',
  'test/cli',
  'test/workflows',
  'test/faults',
  'test/packages',
  'test/plugins',
  'test/storage',
  'test/api',
];
/** These wait most of the time: for timeouts, and for parts that stop and start. */
const waiting = ['test/faults', 'test/workflows', 'test/system', 'test/cli/plugins-check'];

const rank = (file) => {
  const place = slowest.findIndex((folder) => file.startsWith(folder));
  return place === -1 ? slowest.length : place;
};

/**
 * Spreads files that wait among those that keep a processor busy, so that neither kind runs alone. The others take a few
 * seconds at most and come last, so that all processes end at about the same time.
 */
function mixed(files) {
  const sorted = files.toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  const short = sorted.filter((file) => rank(file) === slowest.length);
  const long = sorted.filter((file) => rank(file) < slowest.length);
  const isWaiting = (file) => waiting.some((start) => file.startsWith(start));
  return [long.filter((file) => !isWaiting(file)), long.filter(isWaiting)]
    .flatMap((kind) => kind.map((file, index) => ({ file, place: index / kind.length })))
    .sort((a, b) => a.place - b.place)
    .map(({ file }) => file)
    .concat(short);
}

const given = process.argv.slice(2).filter((arg) => arg !== '--full');
const namesFiles = given.some((arg) => !arg.startsWith('-') && (existsSync(arg) || arg.includes('*')));

// Conventions of CI systems, not settings of this project.
const { CI, TEST_TOTALS_FILE } = env;

run('scripts/build.mjs');
// A named test reports its own missing requirements.
if (!namesFiles) run('--import=tsx', 'scripts/prepare-tests.mjs');

const all = () =>
  mixed(
    readdirSync('test', { recursive: true })
      .filter((file) => file.endsWith('.test.ts') && (isFull || !file.endsWith('.full.test.ts')))
      .map((file) => join('test', file)),
  );
// Mocha leads a session of its own, whose priority it lowers to that of the services under test.
const mocha = spawn(
  process.execPath,
  [
    // Helper threads of the collector spin where all processors are busy. The test processes inherit this.
    '--single-threaded-gc',
    'node_modules/mocha/bin/mocha.js',
    ...(CI ? ['--forbid-only'] : []),
    ...(TEST_TOTALS_FILE ? [`--reporter-option=totals=${TEST_TOTALS_FILE}`] : []),
    ...(namesFiles ? [] : ['--parallel', `--jobs=${availableParallelism() + 3}`]),
    ...given,
    ...(namesFiles ? [] : all()),
  ],
  { stdio: 'inherit', env, detached: true },
);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => process.kill(-Number(mocha.pid), signal));
const [status] = await once(mocha, 'exit');
process.exitCode = status ?? 1;
