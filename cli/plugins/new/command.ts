import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { UsageError } from '../../exit.js';
import { commandsOf, type NewFlags, type Skeleton } from './commands.js';
import { writeSkeleton } from './skeleton.js';

/** The format that the API requires for plugin ids. */
const slug = /^[a-z0-9][a-z0-9-]{0,62}$/;
/** The service registers these again at each start. */
export const builtInIds: readonly string[] = ['extract-text', 'chunk-text', 'embed', 'register-vectors'];

/** `kw plugins new`: creates a plugin in a new folder and prints the next steps. */
export function writeNew(name: string, { language, kind: chosen, dir }: NewFlags): void {
  // In Python, only an HTTP worker runs without packages.
  const kind = chosen ?? (language === 'python' ? 'http' : 'activity');
  if (!slug.test(name)) {
    throw new UsageError(
      `${name} cannot be the id of a plugin: use at most 63 lower-case letters, digits and hyphens, and no hyphen first.`,
    );
  }
  if (builtInIds.includes(name))
    throw new UsageError(`${name} is the id of a built-in plugin: choose another name.`);
  const folder = resolve(dir ?? name);
  writeSkeleton(folder, { id: name, language, kind });
  process.stdout.write(nextSteps(folder, { language, kind }).join('\n'));
}

function nextSteps(folder: string, chosen: Pick<Skeleton, 'language' | 'kind'>): string[] {
  const { language } = chosen;
  const shown = relative(process.cwd(), folder) || '.';
  const { install, start } = commandsOf(chosen);
  // The worker finds the service on this machine by its data directory.
  const found = existsSync(join('.kw', 'stack.json')) ? `KW_DATA_DIR=${relative(folder, '.kw')} ` : '';
  const commands = [`cd ${shown}`, ...(install === null ? [] : [install]), `${found}${start}`];
  return [
    `Created ${shown}. It works as it is; change it in ${language === 'python' ? 'worker.py' : 'plugin.ts'}.`,
    '',
    ...commands.map((command) => `  ${command}`),
    '',
    'README.md says how it finds the service, and how to test it without one.',
    '',
  ];
}
