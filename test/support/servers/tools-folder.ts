import { homedir } from 'node:os';
import { join } from 'node:path';

/** Returns the folder of programs built for the tests, below the user's cache folder. */
export function toolsFolder(cacheHome = process.env['XDG_CACHE_HOME']): string {
  return join(cacheHome || join(homedir(), '.cache'), 'knowledge-warehouse', 'tools');
}
