import { readdirSync, statSync, type Dirent, type Stats } from 'node:fs';
import { basename, join, relative } from 'node:path';

import { CommandError, UsageError } from '../../exit.js';

/** Something to register, with its name for messages. */
export type Source =
  | { readonly kind: 'file'; readonly path: string; readonly name: string }
  | { readonly kind: 'url'; readonly url: string; readonly name: string }
  | { readonly kind: 'stdin'; readonly name: string };

const longestName = 500;
/** What a shell passes for `<(command)`. To open any other pipe may block the process until something writes. */
const openPipe = /^\/(dev|proc\/self)\/(stdin$|fd\/)/;

/**
 * Resolves the arguments of `kw add`, in order. Everything is checked before anything is sent.
 *
 * @throws UsageError for conflicting arguments, CommandError for a missing file
 */
export function findSources(
  args: readonly string[],
  options: { readonly type: string; readonly name?: string; readonly recursive?: boolean },
  note: (text: string) => void,
): readonly Source[] {
  const { name } = options;
  for (const text of [name, options.type])
    if (text !== undefined && /\p{Cc}/u.test(text))
      throw new UsageError('Names and types must not contain control characters.');
  if (args.filter((arg) => arg === '-').length > 1)
    throw new UsageError('Standard input can be read only once.');
  if (name !== undefined && args.length > 1) throw new UsageError('--name needs exactly one file or URL.');
  const sources = args.flatMap((arg): readonly Source[] => {
    if (arg === '-') {
      if (name === undefined) throw new UsageError('Standard input has no name: give it one with --name.');
      return [{ kind: 'stdin', name }];
    }
    if (/^https?:\/\//i.test(arg)) return [{ kind: 'url', url: arg, name: name ?? nameOf(arg) }];
    const stats = statsOf(arg);
    if (!stats.isDirectory()) {
      if (!stats.isFile() && !openPipe.test(arg))
        throw new UsageError(`${arg} is neither a file nor a folder: pipe its content to "kw add -".`);
      return [{ kind: 'file', path: arg, name: name ?? nameOf(basename(arg)) }];
    }
    if (options.recursive !== true)
      throw new UsageError(`${arg} is a folder: add its files with --recursive.`);
    if (name !== undefined) throw new UsageError('--name needs exactly one file or URL.');
    return filesBelow(arg, note).map((path) => ({ kind: 'file', path, name: nameOf(relative(arg, path)) }));
  });
  if (sources.length === 0) throw new CommandError('There is no file to add.');
  return sources;
}

function statsOf(path: string): Stats {
  try {
    return statSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw new CommandError((error as Error).message);
    throw new CommandError(`There is no file ${path}. Nothing was added.`);
  }
}

/**
 * Returns the files below a folder, sorted by name. Omits hidden and empty files, and does not follow links
 * to folders.
 */
function filesBelow(folder: string, note: (text: string) => void): string[] {
  let all: Dirent[];
  try {
    all = readdirSync(folder, { withFileTypes: true });
  } catch {
    // Opening it as a file fails, too, and that is reported.
    return [folder];
  }
  const entries = all
    .filter(({ name }) => !name.startsWith('.'))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path, note);
    const size = sizeOf(entry, path);
    if (size === 0) note(`${path}: skipped, because it is empty`);
    return size === null || size === 0 ? [] : [path];
  });
}

/** Returns the size of a file or of a link's target; undefined if it cannot be read, null for anything else. */
function sizeOf(entry: Dirent, path: string): number | null | undefined {
  if (!entry.isFile() && !entry.isSymbolicLink()) return null;
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats?.isFile() === true ? stats.size : null;
  } catch {
    return undefined;
  }
}

/** Converts a name to what the API accepts: one line, no control characters, limited length. */
function nameOf(text: string): string {
  const name = text.replace(/\p{Cc}/gu, ' ').trim();
  return Array.from(name).slice(0, longestName).join('') || 'unnamed';
}
