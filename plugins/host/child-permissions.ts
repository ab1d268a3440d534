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

/** The package that plugins are written with. In a checkout it is outside node_modules. */
const plugin = dirname(createRequire(import.meta.url).resolve('@knowledge-warehouse/plugin/package.json'));

/**
 * Returns the Node arguments that restrict a child. It may read only the code that it runs and the packages that this
 * code may import, and may not write files or start processes or threads. From Node 25 on it has no network access
 * either. Its source and its messages are descriptors that are already open.
 *
 * @param module The compiled module that the child runs; a compiler at run time would start threads and processes.
 */
export function permissionsFor(module: URL): readonly string[] {
  if (flag === undefined) return [];
  const packages = createRequire(module).resolve.paths('a-package') ?? [];
  const folders = [built, plugin, dirname(fileURLToPath(module)), ...packages].filter((folder) =>
    existsSync(folder),
  );
  // Node checks both the path of a link and its target.
  const readable = new Set(
    [...folders, ...folders.map((folder) => realpathSync(folder))].map((folder) => join(folder, sep)),
  );
  return [
    flag,
    '--disable-warning=ExperimentalWarning',
    ...[...readable]
      // Node 20 aborts if a folder is listed together with its parent.
      .filter((folder) => ![...readable].some((other) => other !== folder && folder.startsWith(other)))
      .map((folder) => `--allow-fs-read=${folder}`),
  ];
}
