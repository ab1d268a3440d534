import { randomUUID } from 'node:crypto';
import { open, readdir, readFile, rm, rmdir, stat, unlink } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { addAbortSignal, Readable } from 'node:stream';
import { ServiceError } from '../../core/errors.js';
import { makeFolder, moveInto, onDisk, writeNewFile } from './durable-file.js';
import { objectNotFound, rangePastEnd, storageUnavailable } from './errors.js';
import { assertKey, assertPrefix, assertRange } from './keys.js';
import type { ObjectStore, StoredObject } from './types.js';

function isAbsent(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
}

/** The result of a file system call, or undefined if the file does not exist. */
async function ifPresent<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw storageUnavailable(error);
  }
}

/** The files below a folder, ordered by their path segments; with `after`, only those after that path. */
async function* walk(folder: string, after: readonly string[] = []): AsyncGenerator<string> {
  const [from, ...deeper] = after;
  const entries = (await ifPresent(readdir(folder, { withFileTypes: true }))) ?? [];
  const left = entries
    .filter(({ name }) => from === undefined || name >= from)
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  for (const entry of left) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* walk(path, entry.name === from ? deeper : []);
    else if (entry.name !== from) yield path;
  }
}

/**
 * An object store in a folder, for a single machine; several processes may share it. Objects are the files below
 * `data/`. A write goes to `tmp/` until it is complete and synced, then is moved atomically. Only the owner can access
 * files and folders.
 */
export function createFileObjectStore({ directory }: { readonly directory: string }): ObjectStore {
  const objects = resolve(directory, 'data');
  const temporary = resolve(directory, 'tmp');

  const pathOf = (key: string): string => {
    assertKey(key);
    return join(objects, ...key.split('/'));
  };

  /** A volume that is not mounted leaves an empty folder: what is written there is lost when it is mounted again. */
  const requireFolder = async (): Promise<void> => {
    if (await ifPresent(stat(objects))) return;
    const message = 'The folder of the object store is missing. Its volume may not be mounted.';
    const cause = new Error(`There is no folder ${objects}.`);
    throw new ServiceError('STORAGE_UNAVAILABLE', message, {}, { cause });
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
    kind: 'folder',

    async put(key, content, { signal } = {}) {
      const path = pathOf(key);
      const written = join(temporary, randomUUID());
      const stop = (reason?: Error): void => {
        if (content instanceof Readable) content.destroy(reason);
      };
      const abort = (): void => stop(signal?.reason as Error);
      // Without a listener, an error of a destroyed stream would crash the process.
      if (content instanceof Readable) content.on('error', () => undefined);
      signal?.addEventListener('abort', abort, { once: true });
      try {
        signal?.throwIfAborted();
        await requireFolder();
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

    async *list(prefix, { after } = {}) {
      assertPrefix(prefix);
      const top = join(objects, dirname(`${prefix}x`));
      const from = after === undefined ? [] : relative(top, pathOf(after)).split(sep);
      for await (const path of walk(top, from)) {
        const key = relative(objects, path).split(sep).join('/');
        const found = key.startsWith(prefix) ? await ifPresent(stat(path)) : undefined;
        if (found) yield { key, size: found.size, lastModified: found.mtime } satisfies StoredObject;
      }
    },

    async removeAbandoned(before) {
      let removed = 0;
      for (const name of (await ifPresent(readdir(temporary))) ?? []) {
        const path = join(temporary, name);
        const found = await ifPresent(stat(path));
        // Still being written, or left by a process that died recently.
        if (found === undefined || found.mtimeMs >= before.getTime()) continue;
        await onDisk(rm(path, { force: true }));
        removed++;
      }
      return removed;
    },

    async create() {
      await onDisk(makeFolder(objects));
    },

    async check() {
      await requireFolder();
      const path = join(temporary, randomUUID());
      const content = Buffer.from(path);
      try {
        await makeFolder(temporary);
        await writeNewFile(path, content);
        if (!content.equals(await readFile(path)))
          throw new Error('The bytes read differ from the bytes written.');
      } catch (error) {
        throw storageUnavailable(error);
      } finally {
        await rm(path, { force: true }).catch(() => undefined);
      }
    },

    close() {
      // Nothing stays open between calls.
    },
  };
}
