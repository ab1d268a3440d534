import { existsSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of this package: a checkout, or what npm installed. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

/** Whether npm put the package where it is; else it is a checkout, of a version that need not be published. */
export function isInstalled(root: string): boolean {
  return root.split(sep).includes('node_modules');
}
