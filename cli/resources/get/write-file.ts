import { randomUUID } from 'node:crypto';
import { createWriteStream, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { CommandError } from '../../exit.js';

/**
 * Writes a file atomically, using a temporary file in the same folder. Special files, such as devices, are
 * written directly.
 *
 * @throws CommandError if the file cannot be written
 */
export async function writeWhole(
  path: string,
  content: AsyncIterable<Uint8Array | string>,
  signal: AbortSignal,
): Promise<void> {
  const temporary = join(dirname(path), `.kw-${randomUUID()}.part`);
  try {
    const isSpecial = statSync(path, { throwIfNoEntry: false })?.isFile() === false;
    if (isSpecial) await pipeline(content, createWriteStream(path), { signal });
    else {
      await pipeline(content, createWriteStream(temporary, { flags: 'wx' }), { signal });
      await rename(temporary, path);
    }
  } catch (error) {
    await rm(temporary).catch(() => undefined);
    // Only errors of the file have a system call: those of the connection are converted.
    const { syscall, message } = error as NodeJS.ErrnoException;
    if (syscall !== undefined) throw new CommandError(`${path} cannot be written: ${message}`);
    throw error;
  }
}
