import { AsyncLocalStorage } from 'node:async_hooks';

export type Fields = Readonly<Record<string, string | number | undefined>>;

/**
 * Log fields that describe the current work, such as the request, the resource and the run. They propagate through all
 * asynchronous calls of the work.
 */
export interface LogFields {
  /** The fields of the current work; empty if there is none. */
  current(): Fields;
  /** Adds fields to the current work. Does nothing if there is none. */
  add(fields: Fields): void;
  /** Runs `work` with these fields, which replace the surrounding ones. */
  during<T>(fields: Fields, work: () => T): T;
  /** Stops the tracking, which adds a small cost to every promise of the process. */
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
