import { mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { storageUnavailable } from './errors.js';

/** Converts every failure of a file system call into STORAGE_UNAVAILABLE. */
export async function onDisk<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw storageUnavailable(error);
  }
}

/** Makes changes to a folder's entries (new files, renames) survive a power failure. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Creates a folder and its missing parents, accessible only to the owner and synced to disk. Throws file system errors.
 */
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

/** Errors of creating a folder while clean-up removes its parents. */
const takenAway = ['ENOENT', 'ENOTDIR', 'EEXIST'];

/**
 * Moves a file to its final place atomically. Clean-up of empty folders may remove the target folder between its
 * creation and the move; then both are repeated. Throws file system errors.
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
    // The folder is already gone if the object was removed in the meantime.
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
 * Writes a stream or a buffer to a new file and resolves with its size once it is synced to disk. On failure no file is
 * left. Disk errors are thrown as STORAGE_UNAVAILABLE, errors of the stream unchanged.
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
