import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { CommandError } from '../../exit.js';

/**
 * Packs the plugin package that this `kw` uses into a folder and returns the name of the archive. The package
 * is not published yet. With the archive in its own folder, a new plugin installs on every machine and keeps
 * the version it was created with.
 *
 * @throws CommandError if npm is missing or fails
 */
export function packPlugin(folder: string): string {
  const manifest = createRequire(import.meta.url).resolve('@knowledge-warehouse/plugin/package.json');
  const args = ['pack', dirname(manifest), '--pack-destination', folder, '--ignore-scripts', '--silent'];
  try {
    return execFileSync('npm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  } catch (error) {
    throw new CommandError(`npm could not pack @knowledge-warehouse/plugin: ${(error as Error).message}`);
  }
}
