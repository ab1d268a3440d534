import { text } from 'node:stream/consumers';
import { ServiceError } from '../../core/errors.js';
import type { ObjectStore } from './types.js';

/** Where an object store says whose it is. */
export const ownerKey = 'warehouse-id';

/** The database that a store says it belongs to, or null when it says nothing. Throws STORAGE_UNAVAILABLE. */
export async function readOwner(objectStore: ObjectStore): Promise<string | null> {
  try {
    return (await text((await objectStore.get(ownerKey)).stream)).trim();
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}
