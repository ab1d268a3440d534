import type { ObjectStore } from './types.js';

/** Runs one operation of a store and measures it. `key` is the object's key, or the prefix of a list. */
export type Observe = <T>(
  operation: keyof ObjectStore,
  key: string | null,
  work: () => Promise<T>,
) => Promise<T>;

/**
 * Wraps a store so that its operations are measured. Lists are measured by their callers, since they last as long as
 * the caller reads.
 */
export function observeObjectStore(store: ObjectStore, observe: Observe): ObjectStore {
  return {
    kind: store.kind,
    put: (key, content, options) => observe('put', key, () => store.put(key, content, options)),
    get: (key, options) => observe('get', key, () => store.get(key, options)),
    delete: (keys, options) =>
      observe('delete', keys.length === 1 ? (keys[0] ?? null) : null, () => store.delete(keys, options)),
    list: (prefix, options) => store.list(prefix, options),
    removeAbandoned: (before, options) =>
      observe('removeAbandoned', null, () => store.removeAbandoned(before, options)),
    create: () => observe('create', null, () => store.create()),
    check: (options) => observe('check', null, () => store.check(options)),
    close: () => store.close(),
  };
}
