import { mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { storageUnavailable } from './errors.js';

/** Turns every failure of a call to the file system into STORAGE_UNAVAILABLE. */
export async function onDisk<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw storageUnavailable(error);
  }
}

/** Makes the entries of a folder (new files, renames) survive a loss of power. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes a folder and those missing above it, open to their owner alone and safe on disk. Throws what the file system throws. */
export async function makeFolder(folder: string): Promise<void> {
  const topmost = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (topmost === undefined) return;
  let made = folder;
  await syncFolder(dirname(made));
  while (made !== topmost && made !== dirname(made)) {
    made = dirname(made);
    await syncFolder(dirname(made));
  }
}

/** What making a folder fails with while clean-up takes the ones above it away. */
const takenAway = ['ENOENT', 'ENOTDIR', 'EEXIST'];

/**
 * Moves a file to its final place, in one step for every reader. Clean-up of empty folders may take the target folder
 * away between its making and the move; then both are done again. Throws what the file system throws.
 */
export async function moveInto(from: string, to: string): Promise<void> {
  for (let left = 20; ; left--) {
    try {
      await makeFolder(dirname(to));
      await rename(from, to);
      break;
    } catch (error) {
      if (!takenAway.includes((error as NodeJS.ErrnoException).code ?? '') || left === 0) throw error;
    }
  }
  await syncFolder(dirname(to)).catch((error: unknown) => {
    // The folder is gone when the object was removed again in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  });
}

async function fill(handle: FileHandle, content: Readable | Buffer): Promise<number> {
  if (!(content instanceof Readable)) {
    await onDisk(handle.writeFile(content));
    return content.length;
  }
  let size = 0;
  for await (const chunk of content as AsyncIterable<Buffer>) {
    await onDisk(handle.writeFile(chunk));
    size += chunk.length;
  }
  return size;
}

/**
 * Writes what a stream or a buffer holds into a new file and resolves with its bytes once they are safe on disk.
 * When anything fails there is no file. Failures of the disk are thrown as STORAGE_UNAVAILABLE, those of the stream
 * as they are.
 */
export async function writeNewFile(path: string, content: Readable | Buffer): Promise<number> {
  const handle = await onDisk(open(path, 'wx', 0o600));
  try {
    const size = await fill(handle, content);
    await onDisk(handle.sync());
    await onDisk(handle.close());
    return size;
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(path, { force: true }).catch(() => undefined);
    throw error;
  }
}
