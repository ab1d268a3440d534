import { text } from 'node:stream/consumers';
import { ServiceError } from '../../core/errors.js';
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
