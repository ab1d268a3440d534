import type { ObjectStore } from './types.js';

/** Does one operation on a store and sees to it that it is measured. `key`: of the object, or the prefix of a list. */
export type Observe = <T>(
  operation: keyof ObjectStore,
  key: string | null,
  work: () => Promise<T>,
) => Promise<T>;

/** A store like the given one whose operations are measured. A list is measured by its user: it lasts as long as they read. */
export function observeObjectStore(store: ObjectStore, observe: Observe): ObjectStore {
  return {
    put: (key, content, options) => observe('put', key, () => store.put(key, content, options)),
    get: (key, options) => observe('get', key, () => store.get(key, options)),
    delete: (keys) =>
      observe('delete', keys.length === 1 ? (keys[0] ?? null) : null, () => store.delete(keys)),
    list: (prefix, options) => store.list(prefix, options),
    removeAbandoned: (before) => observe('removeAbandoned', null, () => store.removeAbandoned(before)),
    check: () => observe('check', null, () => store.check()),
    close: () => store.close(),
  };
}
