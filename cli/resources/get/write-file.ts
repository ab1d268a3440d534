import { randomUUID } from 'node:crypto';
import { createWriteStream, lstatSync, readlinkSync, realpathSync, statSync, type Stats } from 'node:fs';
import { chmod, chown, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname, isAbsolute } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { CommandError } from '../../exit.js';

/** The folders of a process's open files, to which /dev/stdout leads. */
const openFiles = /^\/(proc|dev\/fd)(\/|$)/;

/**
 * Writes a file atomically, using a temporary file in the same folder. A link stays one, and a file keeps its
 * permissions and, where the system permits it, its owner and group. Special files, such as devices and /dev/stdout, are
 * written directly, and so is a file whose folder accepts no other.
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
    else await replaceFile(target, stats, content, signal);
  } catch (error) {
    // Only errors of the file have a system call: those of the connection are converted.
    const { syscall, message } = error as NodeJS.ErrnoException;
    if (syscall !== undefined) throw new CommandError(`${path} cannot be written: ${message}`);
    throw error;
  }
}

/** Returns the path to which symbolic links lead; null for an open file of a process, whose path may be another one. */
function followLinks(path: string): string | null {
  // A ".." after a link leads to the parent of the link's target: functions that normalize a path miss that.
  const folder = realpathSync.native(dirname(path));
  if (openFiles.test(folder)) return null;
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (!isLink) return path;
  const link = readlinkSync(path);
  return followLinks(isAbsolute(link) ? link : `${folder}/${link}`);
}

async function replaceFile(
  path: string,
  before: Stats | undefined,
  content: AsyncIterable<Uint8Array | string>,
  signal: AbortSignal,
): Promise<void> {
  const temporary = `${dirname(path)}/.kw-${randomUUID()}.part`;
  let file: FileHandle;
  try {
    file = await open(temporary, 'wx', before && 0o600);
  } catch (error) {
    const isForbidden = /^(EACCES|EPERM|EROFS)$/.test((error as NodeJS.ErrnoException).code ?? '');
    if (before === undefined || !isForbidden) throw error;
    await pipeline(content, createWriteStream(path), { signal });
    return;
  }
  try {
    await pipeline(content, file.createWriteStream(), { signal });
    if (before !== undefined) await giveAccess(temporary, before);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary).catch(() => undefined);
    throw error;
  }
}

/**
 * Gives a file the owner, group and permissions of another one, as far as the system allows. If the file keeps its own
 * group, the group gets no permissions.
 */
async function giveAccess(path: string, { uid, gid, mode }: Stats): Promise<void> {
  const give = (owner: number): Promise<boolean> =>
    chown(path, owner, gid).then(
      () => true,
      () => false,
    );
  const keepsGroup = (await give(uid)) || (await give(-1));
  await chmod(path, mode & (keepsGroup ? 0o777 : 0o707));
}
