// Builds the packages, then dist/: TypeScript, other files, the workflow bundle, the programs, and the page. Does
// nothing if nothing changed.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';

import { buildBundled } from './build-bundled.mjs';
import { buildPackages, stampOf } from './build-packages.mjs';
import { buildPrograms } from './build-programs.mjs';
import { isWebBuilt } from './build-web.mjs';

process.chdir(join(import.meta.dirname, '..'));
const require = createRequire(import.meta.url);

const { include, exclude } = JSON.parse(readFileSync('tsconfig.json', 'utf8'));
const stampFile = 'dist/.build-stamp';
// The second bundle is for processes with tracing: only it contains OpenTelemetry's code for workflows.
const bundles = [
  { file: 'dist/workflow-bundle.js', interceptors: [] },
  {
    file: 'dist/workflow-bundle-traced.js',
    interceptors: [require.resolve('@temporalio/interceptors-opentelemetry-v2/lib/workflow-interceptors')],
  },
];
const failureConverter = 'packages/plugin/dist/workers/failure-converter.js';
const bundleStampFile = 'dist/.workflow-bundle-stamp';

/** Returns all files below a folder, as paths from the project's root. */
function filesBelow(folder) {
  if (!existsSync(folder) || exclude.includes(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

const sources = include.flatMap(filesBelow).sort();
const isCode = (path) => path.endsWith('.ts');
const isAsset = (path) => !isCode(path) && !/\.(md|py)$/.test(path);

const read = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '');

function compile() {
  const tsc = 'node_modules/typescript-7/bin/tsc';
  const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.json'], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

function copyAssets() {
  for (const path of sources.filter(isAsset)) cpSync(path, join('dist', path));
}

/** Removes output of earlier builds whose sources no longer exist. */
function removeLeftovers() {
  const known = new Set(sources);
  for (const path of include.flatMap((folder) => filesBelow(join('dist', folder)))) {
    const source = relative('dist', path);
    const code = source.replace(/(\.d\.ts|\.js\.map|\.js)$/, '.ts');
    if (!known.has(source) && !known.has(code)) rmSync(path);
  }
}

async function bundleWorkflows() {
  const workflowsPath = 'dist/workflows/index.js';
  if (!existsSync(workflowsPath)) return;
  const hash = createHash('sha256').update(readFileSync('package-lock.json'));
  const folders = ['dist/workflows', 'dist/core', 'packages/plugin/dist/protocol'].flatMap(filesBelow);
  const inputs = [failureConverter, ...folders.filter((path) => path.endsWith('.js'))];
  for (const path of inputs.sort()) hash.update(path).update(readFileSync(path));
  const inputStamp = hash.digest('hex');
  if (bundles.every(({ file }) => existsSync(file)) && read(bundleStampFile) === inputStamp) return;
  const { bundleWorkflowCode, DefaultLogger } = await import('@temporalio/worker');
  for (const { file, interceptors } of bundles) {
    const { code } = await bundleWorkflowCode({
      workflowsPath: join(process.cwd(), workflowsPath),
      payloadConverterPath: join(process.cwd(), 'dist/workflows/payload-converter.js'),
      failureConverterPath: join(process.cwd(), failureConverter),
      workflowInterceptorModules: [join(process.cwd(), 'dist/workflows/interceptors.js'), ...interceptors],
      logger: new DefaultLogger('WARN'),
    });
    writeFileSync(file, code);
  }
  writeFileSync(bundleStampFile, inputStamp);
}

/** Builds the page in a separate process at the same time. */
function buildWeb() {
  if (isWebBuilt()) return Promise.resolve(0);
  mkdirSync('dist', { recursive: true });
  return new Promise((resolve) => {
    spawn(process.execPath, ['scripts/build-web.mjs'], { stdio: 'inherit' }).on('exit', resolve);
  });
}

buildPackages();
await buildBundled();
const web = buildWeb();
const stamp = stampOf([
  ...sources,
  'packages/plugin/src',
  'packages/client/src',
  'tsconfig.json',
  'scripts/build.mjs',
  'scripts/build-programs.mjs',
]);
if (read(stampFile) !== stamp) {
  mkdirSync('dist', { recursive: true });
  rmSync(stampFile, { force: true });
  // The compiler trusts its incremental build info, which is useless without the previous output.
  if (!existsSync('dist/runtime')) rmSync('dist/.tsbuildinfo', { force: true });
  compile();
  copyAssets();
  removeLeftovers();
  await bundleWorkflows();
  await buildPrograms();
  writeFileSync(stampFile, stamp);
}
const code = await web;
if (code !== 0) process.exit(code ?? 1);
