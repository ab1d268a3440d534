// Removes parts of an installation that this machine cannot use: native code for other systems, the sources of native
// code (120 MB in Temporal's package alone), and source maps. Runs after a production installation. Does nothing in a
// checkout with development packages, or in a project with other dependencies, which may use the same packages. See
// docs/decisions/0162-what-an-installation-holds.md.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { arch, platform } from 'node:process';
import { fileURLToPath } from 'node:url';

const triples = {
  'darwin arm64': 'aarch64-apple-darwin',
  'darwin x64': 'x86_64-apple-darwin',
  'linux arm64': 'aarch64-unknown-linux-gnu',
  'linux x64': 'x86_64-unknown-linux-gnu',
  'win32 x64': 'x86_64-pc-windows-msvc',
};

const remove = (path) => rmSync(path, { recursive: true, force: true });

/** Removes all builds of Temporal's native part except the one for this system. */
function pruneTemporal(require) {
  const folder = dirname(require.resolve('@temporalio/core-bridge/package.json'));
  const releases = join(folder, 'releases');
  const ours = triples[`${platform} ${arch}`];
  if (ours === undefined || !existsSync(join(releases, ours))) return;
  for (const name of readdirSync(releases)) if (name !== ours) remove(join(releases, name));
  for (const sources of ['sdk-core', 'src', 'bridge-macros']) remove(join(folder, sources));
}

/** Dependencies, or scopes of them, whose source maps take 20 MB and are not needed in production. */
const mapped = '@embedpdf @grpc @jsonjoy.com @opentelemetry @temporalio apache-arrow protobufjs rxjs'.split(
  ' ',
);

/** Packages that ship their TypeScript sources besides the compiled code; only source maps refer to the sources. */
const sourced = [
  ...'activity client common nexus plugin testing worker workflow'
    .split(' ')
    .map((name) => `@temporalio/${name}`),
  'apache-arrow',
  'rxjs',
];

function pruneMaps(folder) {
  for (const path of existsSync(folder) ? readdirSync(folder, { recursive: true }) : [])
    if (path.endsWith('.map')) remove(join(folder, path));
}

const top = join(dirname(fileURLToPath(import.meta.url)), '..');
const own = join(top, 'node_modules');
const isDevelopment = existsSync(join(own, 'mocha'));

/**
 * Whether a folder of packages serves only this service: its own folder, or that of a project without other
 * dependencies.
 */
function isOurs(folder) {
  if (folder === own) return true;
  const file = join(folder, '..', 'package.json');
  if (!existsSync(file)) return true;
  const { dependencies, devDependencies, optionalDependencies, workspaces } = JSON.parse(
    readFileSync(file, 'utf8'),
  );
  const names = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  return workspaces === undefined && names.every((name) => name === 'knowledge-warehouse');
}

if (!isDevelopment) {
  const require = createRequire(import.meta.url);
  // npm puts dependencies into this folder or, if the service is itself a dependency, next to it.
  const beside = dirname(dirname(dirname(require.resolve('@temporalio/worker/package.json'))));
  if (isOurs(beside)) pruneTemporal(createRequire(require.resolve('@temporalio/worker')));
  for (const folder of new Set([beside, own].filter(isOurs))) {
    for (const name of mapped) pruneMaps(join(folder, name));
    for (const name of sourced) remove(join(folder, name, 'src'));
  }
}
