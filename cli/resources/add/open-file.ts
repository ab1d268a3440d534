import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, unlink, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { CommandError } from '../../exit.js';

/** Opens a file to be sent. Throws CommandError when it cannot be read, or is none. */
export async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (error) {
    throw new CommandError(`it cannot be read: ${(error as NodeJS.ErrnoException).code ?? String(error)}`);
  }
}

/**
 * Opens what a stream brings as a file without a name, which is gone when it is closed: a stream can be read once, a
 * request may have to be sent twice.
 */
export async function openStream(stream: NodeJS.ReadableStream, signal: AbortSignal): Promise<FileHandle> {
  const path = join(tmpdir(), `kw-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  try {
    await unlink(path);
    await pipeline(stream, createWriteStream('', { fd: file, autoClose: false, start: 0 }), { signal });
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}
