import { randomUUID } from 'node:crypto';
import type { PathLike } from 'node:fs';
import { open, unlink, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';

import { CommandError } from '../../exit.js';

/** Opens a file to upload; copies pipes and devices first. Throws CommandError if it cannot be read. */
export async function openFile(path: PathLike, signal: AbortSignal): Promise<FileHandle> {
  try {
    const file = await open(path, 'r');
    if ((await file.stat()).isFile()) return file;
    return await openStream(file.createReadStream(), signal);
  } catch (error) {
    signal.throwIfAborted();
    throw new CommandError(`it cannot be read: ${(error as NodeJS.ErrnoException).code ?? String(error)}`);
  }
}

/**
 * Copies a stream to an unnamed temporary file, which disappears when it is closed: a stream can be read only
 * once, but a request may have to be sent twice.
 */
export async function openStream(stream: Readable, signal: AbortSignal): Promise<FileHandle> {
  const path = join(tmpdir(), `kw-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  try {
    await unlink(path);
    for await (const chunk of addAbortSignal(signal, stream)) await file.appendFile(chunk as Buffer);
    return file;
  } catch (error) {
    await file.close();
    signal.throwIfAborted();
    throw error;
  }
}

const chunkBytes = 256 * 1024;

/** Returns the first `size` bytes of a file. Throws CommandError if it has become shorter. */
export async function* readFile(file: FileHandle, size: number): AsyncGenerator<Uint8Array> {
  for (let position = 0; position < size;) {
    // Create a new one each time: the connection may still hold the previous one.
    const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, size - position));
    const { bytesRead } = await file.read(chunk, 0, chunk.length, position);
    if (bytesRead === 0) throw new CommandError('the file was truncated while it was read');
    yield chunk.subarray(0, bytesRead);
    position += bytesRead;
  }
}
