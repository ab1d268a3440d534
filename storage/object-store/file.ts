import { randomUUID } from 'node:crypto';
import { open, opendir, readdir, readFile, rm, rmdir, stat, unlink } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { addAbortSignal, Readable } from 'node:stream';
import { makeFolder, moveInto, onDisk, writeNewFile } from './durable-file.js';
import { objectNotFound, rangePastEnd, storageUnavailable } from './errors.js';
import { assertKey, assertPrefix, assertRange } from './keys.js';
import type { ObjectStore, StoredObject } from './types.js';

/** A temporary file that nothing was written to for this long belongs to a process that was killed. */
const abandonedAfterMs = 24 * 60 * 60 * 1000;

function isAbsent(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
}

/** The result of a call to the file system, or undefined when it finds nothing there. */
async function ifPresent<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw storageUnavailable(error);
  }
}

async function* walk(folder: string): AsyncGenerator<string> {
  const entries = await ifPresent(readdir(folder, { withFileTypes: true }));
  for (const entry of entries ?? []) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* walk(path);
    else yield path;
  }
}

async function removeAbandoned(folder: string): Promise<void> {
  for await (const { name } of await opendir(folder)) {
    const path = join(folder, name);
    const found = await ifPresent(stat(path));
    if (found && found.mtimeMs < Date.now() - abandonedAfterMs) await rm(path, { force: true });
  }
}

/**
 * An object store in a folder, for one machine: any number of processes may share it. Objects are the files below
 * `data/`; what is being written lies in `tmp/` until it is whole and synced, then moves in one step. Files and
 * folders are open to their owner alone. Temporary files that killed processes left are removed once a day old.
 */
export function createFileObjectStore({ directory }: { readonly directory: string }): ObjectStore {
  const objects = resolve(directory, 'data');
  const temporary = resolve(directory, 'tmp');
  const swept = removeAbandoned(temporary).catch(() => undefined);

  const pathOf = (key: string): string => {
    assertKey(key);
    return join(objects, ...key.split('/'));
  };

  const removeEmptyFolders = async (from: string): Promise<void> => {
    for (let folder = from; folder !== objects; folder = dirname(folder)) {
      try {
        await rmdir(folder);
      } catch (error) {
        if (!isAbsent(error)) return;
      }
    }
  };

  return {
    async put(key, content, { signal } = {}) {
      const path = pathOf(key);
      const written = join(temporary, randomUUID());
      const stop = (reason?: Error): void => {
        if (content instanceof Readable) content.destroy(reason);
      };
      const abort = (): void => stop(signal?.reason as Error);
      // A stream that is destroyed while nobody reads it would throw its error at the process.
      if (content instanceof Readable) content.on('error', () => undefined);
      signal?.addEventListener('abort', abort, { once: true });
      try {
        signal?.throwIfAborted();
        await onDisk(makeFolder(temporary));
        const size = await writeNewFile(written, content);
        signal?.throwIfAborted();
        await onDisk(moveInto(written, path));
        return { size };
      } catch (error) {
        stop();
        await rm(written, { force: true }).catch(() => undefined);
        throw signal?.aborted ? signal.reason : error;
      } finally {
        signal?.removeEventListener('abort', abort);
      }
    },

    async get(key, { range, signal } = {}) {
      const path = pathOf(key);
      if (range) assertRange(range);
      signal?.throwIfAborted();
      const handle = await ifPresent(open(path, 'r'));
      try {
        const found = handle && (await onDisk(handle.stat()));
        if (!handle || !found?.isFile()) throw objectNotFound(key);
        if (range && range.start >= found.size) throw rangePastEnd(key, range.start);
        const stream = handle.createReadStream(range);
        return { stream: signal ? addAbortSignal(signal, stream) : stream, size: found.size };
      } catch (error) {
        await handle?.close();
        throw error;
      }
    },

    async delete(keys) {
      for (const path of keys.map(pathOf)) {
        await ifPresent(unlink(path));
        await removeEmptyFolders(dirname(path));
      }
    },

    async *list(prefix) {
      assertPrefix(prefix);
      for await (const path of walk(join(objects, dirname(`${prefix}x`)))) {
        const key = relative(objects, path).split(sep).join('/');
        const found = key.startsWith(prefix) ? await ifPresent(stat(path)) : undefined;
        if (found) yield { key, size: found.size, lastModified: found.mtime } satisfies StoredObject;
      }
    },

    async check() {
      await swept;
      const path = join(temporary, randomUUID());
      const content = Buffer.from(path);
      try {
        await makeFolder(temporary);
        await makeFolder(objects);
        await writeNewFile(path, content);
        if (!content.equals(await readFile(path)))
          throw new Error('What was written reads back as something else.');
      } catch (error) {
        throw storageUnavailable(error);
      } finally {
        await rm(path, { force: true }).catch(() => undefined);
      }
    },

    close() {
      // Nothing is held open between calls.
    },
  };
}
