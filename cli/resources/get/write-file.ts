import { randomUUID } from 'node:crypto';
import { createWriteStream, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { CommandError } from '../../exit.js';

/**
 * Writes a file atomically, using a temporary file in the same folder. Special files, such as devices, are
 * written directly.
 */
export async function writeWhole(
  path: string,
  content: AsyncIterable<Uint8Array | string>,
  signal: AbortSignal,
): Promise<void> {
  const isSpecial = statSync(path, { throwIfNoEntry: false })?.isFile() === false;
  const target = isSpecial ? path : join(dirname(path), `.${basename(path)}.${randomUUID()}.part`);
  const file = createWriteStream(target, isSpecial ? {} : { flags: 'wx' });
  try {
    await pipeline(content, file, { signal });
    if (!isSpecial) await rename(target, path);
  } catch (error) {
    if (!isSpecial) await rm(target, { force: true });
    const { syscall, message } = error as NodeJS.ErrnoException & { readonly path?: string };
    if (syscall === 'open' || syscall === 'rename')
      throw new CommandError(`${path} cannot be written: ${message}`);
    throw error;
  }
}
