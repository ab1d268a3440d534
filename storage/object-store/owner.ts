import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { ServiceError } from '../../core/errors.js';
import type { Db } from '../database/connection.js';
import type { ObjectStore } from './types.js';

/** The key under which an object store records its owner. */
export const ownerKey = 'warehouse-id';

/** The id of the database that a store belongs to, or null if it records none. Throws STORAGE_UNAVAILABLE. */
export async function readOwner(objectStore: ObjectStore): Promise<string | null> {
  try {
    return (await text((await objectStore.get(ownerKey)).stream)).trim();
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}

/**
 * How a store without an owner relates to a database: `new`, or `away` if the database refers to objects that the store
 * would hold. Then it is another store, for example the folder below a volume that is not mounted.
 */
export async function ownerlessStore(db: Db): Promise<'new' | 'away'> {
  const { rows }: { rows: unknown[] } = await db.raw(
    'select where exists (select from artifacts) or exists (select from resources where object_key is not null)',
  );
  return rows.length === 0 ? 'new' : 'away';
}

/** Returns the owner of a store; null for a new one. Throws STORAGE_UNAVAILABLE, also if the store is away. */
export async function requireStore(db: Db, objectStore: ObjectStore): Promise<string | null> {
  const owner = await readOwner(objectStore);
  if (owner !== null) return owner;
  if ((await ownerlessStore(db)) === 'away')
    throw new ServiceError(
      'STORAGE_UNAVAILABLE',
      'The object store is not the one that the database refers to. Its volume may not be mounted.',
      {},
      { cause: new Error(`The store has no object ${ownerKey}, but the database refers to objects.`) },
    );
  return null;
}

/**
 * Returns the owner of a store. A new one becomes this database's. Throws STORAGE_UNAVAILABLE, also if the store is away.
 */
export async function claimStore(db: Db, objectStore: ObjectStore): Promise<string> {
  const owner = await requireStore(db, objectStore);
  if (owner !== null) return owner;
  const [{ id }] = (await db('warehouse').select('id')) as [{ id: string }];
  await objectStore.create();
  await objectStore.put(ownerKey, Buffer.from(id));
  return id;
}

/** Wraps a database's store so that nothing is written to another one: see `claimStore`. */
export function guardStore(objectStore: ObjectStore, db: Db): ObjectStore {
  let isClaimed = false;
  let claiming: Promise<void> | null = null;
  const claim = async (): Promise<void> => {
    try {
      await claimStore(db, objectStore);
      isClaimed = true;
    } catch (error) {
      isClaimed = false;
      throw error;
    }
  };
  return {
    ...objectStore,
    async put(key, content, options) {
      if (!isClaimed) {
        // Without a listener, an error of the stream meanwhile would crash the process.
        if (content instanceof Readable) content.on('error', () => undefined);
        try {
          await (claiming ??= claim().finally(() => (claiming = null)));
        } catch (error) {
          if (content instanceof Readable) content.destroy();
          throw error;
        }
      }
      return await objectStore.put(key, content, options);
    },
    async check() {
      await claim();
      await objectStore.check();
    },
  };
}
