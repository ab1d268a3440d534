import { randomUUID } from 'node:crypto';
import { createWriteStream, lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { chmod, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { CommandError } from '../../exit.js';

/** The folders of a process's open files, to which /dev/stdout leads. */
const openFiles = /^\/(proc|dev\/fd)(\/|$)/;

/**
 * Writes a file atomically, using a temporary file in the same folder. A link stays one, and a file keeps its
 * permissions. Special files, such as devices and /dev/stdout, are written directly.
 *
 * @throws CommandError if the file cannot be written
 */
export async function writeWhole(
  path: string,
  content: AsyncIterable<Uint8Array | string>,
  signal: AbortSignal,
): Promise<void> {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    const target = followLinks(path);
    if (target === null || stats?.isFile() === false)
      // A shell may have opened the file for appending.
      await pipeline(content, createWriteStream(path, { flags: 'a' }), { signal });
    else await replaceFile(target, stats?.mode, content, signal);
  } catch (error) {
    // Only errors of the file have a system call: those of the connection are converted.
    const { syscall, message } = error as NodeJS.ErrnoException;
    if (syscall !== undefined) throw new CommandError(`${path} cannot be written: ${message}`);
    throw error;
  }
}

/** Returns the path to which symbolic links lead; null for an open file of a process, whose path may be another one. */
function followLinks(path: string): string | null {
  const folder = realpathSync(dirname(path));
  if (openFiles.test(folder)) return null;
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return isLink ? followLinks(resolve(folder, readlinkSync(path))) : path;
}

async function replaceFile(
  path: string,
  mode: number | undefined,
  content: AsyncIterable<Uint8Array | string>,
  signal: AbortSignal,
): Promise<void> {
  const temporary = join(dirname(path), `.kw-${randomUUID()}.part`);
  const permissions = mode === undefined ? undefined : mode & 0o777;
  try {
    await pipeline(content, createWriteStream(temporary, { flags: 'wx', mode: permissions }), { signal });
    // The umask applies to new files.
    if (permissions !== undefined) await chmod(temporary, permissions);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary).catch(() => undefined);
    throw error;
  }
}
