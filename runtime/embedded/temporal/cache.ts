import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { messageOf } from '../../../core/errors.js';
import type { Environment } from '../../settings/settings.js';
import { lockFolder } from '../process-lock.js';
import { StartError } from '../start-error.js';

/** The version of the Temporal CLI to download or build; later versions cannot be built outside their repository. */
export const temporalCliVersion = 'v1.5.1';

/** The version of modernc.org/sqlite to build it with. */
export const sqliteVersion = 'v1.51.0';

/** The folder in the user's cache directory for the Temporal CLI. */
export function temporalCacheFolder(env: Environment): string {
  const fallback =
    process.platform === 'darwin' ? join(homedir(), 'Library/Caches') : join(homedir(), '.cache');
  const chosen = env['XDG_CACHE_HOME'] ?? '';
  return join(
    // Its specification says to ignore relative paths.
    isAbsolute(chosen) ? chosen : fallback,
    'knowledge-warehouse',
    `temporal-cli-${temporalCliVersion}-sqlite-${sqliteVersion}`,
  );
}

export function cachedTemporal(folder: string): string[] {
  return [join(folder, 'temporal')].filter((path) => existsSync(path));
}

/**
 * Fills the cache: `make` puts a program into the given folder and returns its path, or null if it cannot. The program
 * is added to the cache atomically; if several processes try, one works and the others wait for it.
 *
 * @throws StartError if the folder cannot be made
 */
export async function fillTemporalCache(
  folder: string,
  onWait: () => void,
  signal: AbortSignal,
  make: (scratch: string) => Promise<string | null>,
): Promise<string | null> {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new StartError(
      `The folder for the Temporal CLI cannot be made: ${messageOf(error)}. Set XDG_CACHE_HOME to a folder that you can write to, or TEMPORAL_CLI_PATH to a Temporal CLI.`,
      { cause: error },
    );
  }
  let lock = await lockFolder(folder);
  while ('heldBy' in lock) {
    onWait();
    await sleep(500, undefined, { signal });
    lock = await lockFolder(folder);
  }
  const scratch = join(folder, 'scratch');
  try {
    const [cached] = cachedTemporal(folder);
    if (cached !== undefined) return cached;
    rmSync(scratch, { recursive: true, force: true });
    mkdirSync(scratch);
    const made = await make(scratch);
    if (made === null) return null;
    renameSync(made, join(folder, 'temporal'));
    return join(folder, 'temporal');
  } finally {
    rmSync(scratch, { recursive: true, force: true });
    lock.release();
  }
}
