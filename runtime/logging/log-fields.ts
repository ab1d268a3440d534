import { AsyncLocalStorage } from 'node:async_hooks';

export type Fields = Readonly<Record<string, string | number | undefined>>;

/**
 * What the lines of a log say of the work during which they are written, however deep in it: the request, the resource,
 * the run. It follows the work through everything it waits for.
 */
export interface LogFields {
  /** The fields of the current work; empty outside any work. */
  current(): Fields;
  /** Adds fields to the current work. Does nothing outside any work. */
  add(fields: Fields): void;
  /** Does work with these fields in place of those around it. */
  during<T>(fields: Fields, work: () => T): T;
  /** Ends it: until then every promise of the process costs a little for it. */
  close(): void;
}

export function createLogFields(): LogFields {
  const storage = new AsyncLocalStorage<Record<string, string | number | undefined>>();
  return {
    current: () => storage.getStore() ?? {},
    add(fields) {
      const around = storage.getStore();
      if (around !== undefined) Object.assign(around, fields);
    },
    during: (fields, work) => storage.run({ ...fields }, work),
    close: () => storage.disable(),
  };
}
