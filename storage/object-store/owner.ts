import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { ServiceError } from '../../core/errors.js';
import type { Db } from '../database/connection.js';
import { storageUnavailable } from './errors.js';
import type { Abortable, ObjectStore } from './types.js';

/** The key under which an object store records its owner. */
export const ownerKey = 'warehouse-id';

/** Where a bucket has that key if the folder of another store was copied together with its `data/`. */
const copiedOwnerKey = `data/${ownerKey}`;

/** The id of the database that a store belongs to, or null if it records none. Throws STORAGE_UNAVAILABLE. */
export async function readOwner(
  objectStore: ObjectStore,
  options?: Abortable,
  key = ownerKey,
): Promise<string | null> {
  try {
    return (await text((await objectStore.get(key, options)).stream)).trim();
  } catch (error) {
    options?.signal?.throwIfAborted();
    if (error instanceof ServiceError && error.code === 'NOT_FOUND') return null;
    throw storageUnavailable(error);
  }
}

/** Why a store cannot be used with a database. */
export interface Mismatch {
  /** For clients. */
  readonly message: string;
  /** Follows the message for operators. */
  readonly reason: string;
  readonly remedy: string;
}

/**
 * Compares the owner of a store with a database: `ours`, or `new` if the store has no owner and the database refers to
 * no object. Throws STORAGE_UNAVAILABLE.
 */
export async function compareOwner(
  db: Db,
  objectStore: ObjectStore,
  options?: Abortable,
): Promise<'ours' | 'new' | Mismatch> {
  const owner = await readOwner(objectStore, options);
  const id = await readId(db);
  if (owner === id) return 'ours';
  const { kind } = objectStore;
  const settings = kind === 'folder' ? 'KW_OBJECT_DIR' : 'KW_S3_BUCKET or KW_S3_ENDPOINT';
  if (owner !== null)
    return {
      message: 'The object store belongs to another installation.',
      reason: `Its ${ownerKey} is ${owner}, that of the database is ${id}.`,
      remedy: `Correct ${settings}, use an empty ${kind}, or restore the database of the store. If the other installation is gone, store ${id} as the object ${ownerKey}.`,
    };
  const { rows }: { rows: unknown[] } = await db.raw(
    'select where exists (select from artifacts) or exists (select from resources where object_key is not null)',
  );
  if (rows.length === 0) return 'new';
  if ((await readOwner(objectStore, options, copiedOwnerKey)) === id)
    return {
      message: 'The objects are not at the root of the object store, but below data/.',
      reason: `It has ${copiedOwnerKey} instead of ${ownerKey}.`,
      remedy: 'Move everything below data/ to the root of the store.',
    };
  const message = 'The object store is not the one that the database refers to.';
  return {
    message: kind === 'folder' ? `${message} Its volume may not be mounted.` : message,
    reason: `It has no object ${ownerKey}, but the database refers to objects.`,
    remedy: `${kind === 'folder' ? 'Mount the folder, correct KW_OBJECT_DIR, or set KW_S3_BUCKET if the objects are in a bucket' : `Correct ${settings}`}. If the objects are lost for good, store ${id} as the object ${ownerKey}.`,
  };
}

async function readId(db: Db): Promise<string> {
  const [{ id }] = (await db('warehouse').select('id')) as [{ id: string }];
  return id;
}

/** Throws STORAGE_UNAVAILABLE if the store is unreachable, or is neither new nor this database's. */
export async function requireStore(
  db: Db,
  objectStore: ObjectStore,
  options?: Abortable,
): Promise<'ours' | 'new'> {
  const found = await compareOwner(db, objectStore, options);
  if (typeof found === 'string') return found;
  const cause = new Error(`${found.reason} ${found.remedy}`);
  throw new ServiceError('STORAGE_UNAVAILABLE', found.message, {}, { cause });
}

/** Makes a new store this database's, and returns the id of both. Throws like `requireStore`. */
export async function claimStore(db: Db, objectStore: ObjectStore, options?: Abortable): Promise<string> {
  const state = await requireStore(db, objectStore, options);
  const id = await readId(db);
  if (state === 'new') {
    await objectStore.create();
    await objectStore.put(ownerKey, Buffer.from(id));
  }
  return id;
}

/**
 * Wraps a store that may turn out to be another database's (see `claimStore`): nothing is then written to it or removed
 * from it, and an object that it lacks does not count as missing.
 */
export function guardStore(objectStore: ObjectStore, db: Db): ObjectStore {
  /** The owner at the last look, if it is this database. */
  let owner: string | null = null;
  let claiming: Promise<void> | null = null;
  const claim = async (): Promise<void> => {
    owner = null;
    owner = await claimStore(db, objectStore);
  };
  const claimOnce = (): Promise<void> => (claiming ??= claim().finally(() => (claiming = null)));
  return {
    ...objectStore,
    async put(key, content, options) {
      if (owner === null) {
        // Without a listener, an error of the stream meanwhile would crash the process.
        if (content instanceof Readable) content.on('error', () => undefined);
        try {
          await claimOnce();
        } catch (error) {
          if (content instanceof Readable) content.destroy();
          throw error;
        }
      }
      return await objectStore.put(key, content, options);
    },
    async get(key, options) {
      try {
        return await objectStore.get(key, options);
      } catch (error) {
        if (error instanceof ServiceError && error.code === 'NOT_FOUND') await requireStore(db, objectStore);
        throw error;
      }
    },
    async delete(keys, options) {
      if (owner === null) await claimOnce();
      await objectStore.delete(keys, options);
    },
    async check(options) {
      // A known owner is compared without the database, which may be down.
      if (owner === null || (await readOwner(objectStore, options)) !== owner) await claim();
      await objectStore.check(options);
    },
  };
}
