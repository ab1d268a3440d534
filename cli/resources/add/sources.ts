import { statSync, type PathLike, type Stats } from 'node:fs';
import { basename, relative } from 'node:path';

import { CommandError, UsageError } from '../../exit.js';
import { filesBelow } from './folder.js';

/** Something to register, with its name. A file has its path for messages, and the path to open. */
export type Source =
  | { readonly kind: 'file'; readonly path: string; readonly opened: PathLike; readonly name: string }
  | { readonly kind: 'url'; readonly url: string; readonly name: string }
  | { readonly kind: 'stdin'; readonly name: string };

const longestName = 500;
/** What a shell passes for `<(command)`. To open any other pipe may block the process until something writes. */
const openPipe = /^\/(dev|proc\/self)\/(stdin$|fd\/)/;

const notUtf8 =
  'If its name is not UTF-8, kw cannot read it from an argument: add its folder with --recursive, or pipe its ' +
  'content to "kw add - --name NAME".';

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
      return [{ kind: 'file', path: arg, opened: arg, name: name ?? nameOf(basename(arg)) }];
    }
    if (options.recursive !== true)
      throw new UsageError(`${arg} is a folder: add its files with --recursive.`);
    if (name !== undefined) throw new UsageError('--name needs exactly one file or URL.');
    return filesBelow({ path: arg, opened: arg }, note).map((file) => ({
      kind: 'file',
      ...file,
      name: nameOf(relative(arg, file.path)),
    }));
  });
  if (sources.length === 0) throw new CommandError('There is no file to add.');
  return sources;
}

function statsOf(path: string): Stats {
  try {
    return statSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw new CommandError((error as Error).message);
    const message = `There is no file ${path}. Nothing was added.`;
    // Node.js replaces the bytes of arguments that are not UTF-8, so that no file has the name.
    throw new CommandError(path.includes('\ufffd') ? `${message} ${notUtf8}` : message);
  }
}

/** Converts a name to what the API accepts: one line, no control characters, limited length. */
function nameOf(text: string): string {
  const name = text.replace(/\p{Cc}/gu, ' ').trim();
  return Array.from(name).slice(0, longestName).join('') || 'unnamed';
}
