import { buffer } from 'node:stream/consumers';
import { uuidv7 } from '../../core/ids.js';
import type { ObjectStore } from './types.js';

/** A failed operation of the store. */
export interface TrialFailure {
  /** Completes "The store cannot …". */
  readonly what: string;
  readonly error: unknown;
}

/** Tries all operations that the service needs on a temporary object; null if all succeed. */
export async function tryObjectStore(store: ObjectStore): Promise<TrialFailure | null> {
  const key = `trials/${uuidv7()}`;
  const content = Buffer.from(key);
  const steps: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['be reached', () => store.check()],
    ['be written to', () => store.put(key, content)],
    ['be read', async () => requireSame(content, await buffer((await store.get(key)).stream))],
    ['be listed', async () => requireFound(store, key)],
    ['be searched for unfinished uploads', () => store.removeAbandoned(new Date(0))],
    ['have its objects removed', () => store.delete([key])],
  ];
  for (const [what, work] of steps) {
    try {
      await work();
    } catch (error) {
      await store.delete([key]).catch(() => undefined);
      return { what, error };
    }
  }
  return null;
}

function requireSame(written: Buffer, read: Buffer): void {
  if (!written.equals(read)) throw new Error('the bytes read differ from the bytes written');
}

async function requireFound(store: ObjectStore, key: string): Promise<void> {
  for await (const object of store.list('trials/')) if (object.key === key) return;
  throw new Error('the written object is not in the list');
}
