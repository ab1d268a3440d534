import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The flag was renamed when the permission model became stable (Node 23.5). */
const flag = ['--permission', '--experimental-permission'].find((name) =>
  process.allowedNodeEnvironmentFlags.has(name),
);

/** The build output of the project that contains this module as `plugins/host`. */
const built = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../dist/' : '../../', import.meta.url),
);

/** The package that plugins are written with. In a checkout it lies outside of node_modules. */
const plugin = dirname(createRequire(import.meta.url).resolve('@knowledge-warehouse/plugin/package.json'));

/**
 * The arguments that have Node refuse a child all but its work: it reads the code that it runs and the packages that this code
 * may import, and neither writes files nor starts processes or threads; from Node 25 on it has no network either. Its
 * source and its messages are descriptors that are open already.
 *
 * @param module What the child runs, compiled: what compiles as it goes starts threads and processes of its own.
 */
export function permissionsFor(module: URL): readonly string[] {
  if (flag === undefined) return [];
  const packages = createRequire(module).resolve.paths('a-package') ?? [];
  const folders = [built, plugin, dirname(fileURLToPath(module)), ...packages].filter((folder) =>
    existsSync(folder),
  );
  // Node looks at the path of a link and at where it leads.
  const readable = new Set(
    [...folders, ...folders.map((folder) => realpathSync(folder))].map((folder) => join(folder, sep)),
  );
  return [
    flag,
    '--disable-warning=ExperimentalWarning',
    ...[...readable]
      // Node 20 aborts when a folder is listed together with its parent.
      .filter((folder) => ![...readable].some((other) => other !== folder && folder.startsWith(other)))
      .map((folder) => `--allow-fs-read=${folder}`),
  ];
}
