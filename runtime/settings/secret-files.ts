import { readFileSync } from 'node:fs';

import { messageOf } from '../../core/errors.js';
import type { Setting } from './setting-types.js';
import { settings, type Environment } from './settings.js';

/** The settings that can also be given as a file, whose path is in `NAME_FILE`. */
export const secretNames: readonly string[] = Object.entries<Setting<unknown>>(settings)
  .filter(([, { secret }]) => secret)
  .map(([name]) => name);

/**
 * Reads the files that `KW_SECRET_FILE` and similar variables name into the environment, without surrounding white
 * space. Problems are returned as one line each.
 */
export function readSecretFiles(env: Environment): {
  readonly env: Environment;
  readonly problems: readonly string[];
} {
  const found: Record<string, string> = {};
  const problems: string[] = [];
  for (const name of secretNames) {
    const path = env[`${name}_FILE`]?.trim() ?? '';
    if (path === '') continue;
    if ((env[name] ?? '').trim() !== '') {
      problems.push(`${name} and ${name}_FILE are both set: remove one.`);
      continue;
    }
    try {
      found[name] = readFileSync(path, 'utf8').trim();
      if (found[name] === '') problems.push(`${name}_FILE: the file ${path} is empty.`);
    } catch (error) {
      problems.push(`${name}_FILE: ${path} cannot be read: ${messageOf(error)}.`);
    }
  }
  return { env: { ...env, ...found }, problems };
}
