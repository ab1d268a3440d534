// Builds packages/: the types of the REST API from its schemas, then TypeScript. Does nothing if nothing changed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const top = join(import.meta.dirname, '..');

function run(...args) {
  const { status } = spawnSync(process.execPath, args, { cwd: top, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

/** Returns a hash that changes when one of the files, a file below one of the folders, or a dependency does. */
export function stampOf(paths) {
  const hash = createHash('sha256');
  const files = [...paths, 'package-lock.json'].flatMap((path) =>
    statSync(join(top, path)).isDirectory()
      ? readdirSync(join(top, path), { recursive: true }).map((name) => join(path, name))
      : path,
  );
  for (const path of files.sort()) {
    const stats = statSync(join(top, path));
    if (stats.isFile()) hash.update(`${path} ${stats.size} ${stats.mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/** Does the work unless it was done for the same files and its output still exists. */
function unlessDone(stampFile, folders, made, work) {
  const stamp = () => stampOf([...folders, 'scripts/build-packages.mjs']);
  const file = join(top, stampFile);
  const isDone = existsSync(join(top, made)) && existsSync(file);
  if (isDone && readFileSync(file, 'utf8') === stamp()) return;
  rmSync(file, { force: true });
  work();
  writeFileSync(file, stamp());
}

/** Removes output of earlier builds whose sources no longer exist, so that it is not packed. */
function removeLeftovers(folder) {
  for (const path of readdirSync(join(top, folder, 'dist'), { recursive: true })) {
    const source = path.replace(/(\.d\.ts|\.js)$/, '.ts');
    if (source !== path && !existsSync(join(top, folder, 'src', source)))
      rmSync(join(top, folder, 'dist', path));
  }
}

function compile(folder) {
  unlessDone(`${folder}/dist/.stamp`, [`${folder}/src`], `${folder}/dist/index.js`, () => {
    // The compiler trusts its incremental build info, which is useless without the previous output.
    if (!existsSync(join(top, folder, 'dist/index.js')))
      rmSync(join(top, folder, 'dist/.tsbuildinfo'), { force: true });
    run('node_modules/typescript-7/bin/tsc', '-p', folder);
    removeLeftovers(folder);
  });
}

/**
 * Builds both packages in order: the API's schemas use the plugin package, and the client's types come from the
 * schemas.
 */
export function buildPackages() {
  compile('packages/plugin');
  const schemas = ['api', 'core', 'packages/plugin/src'];
  unlessDone('packages/client/.schema-stamp', schemas, 'packages/client/src/schema.ts', () =>
    run('--import=tsx', '--disable-warning=ExperimentalWarning', 'scripts/client-types.mjs'),
  );
  compile('packages/client');
}

if (process.argv[1] === import.meta.filename) buildPackages();
