import pLimit from 'p-limit';

import type { Client } from './api.js';
import type { Changes } from './changes.js';
import { ApiError } from './errors.js';
import { askedMs, isTransient, pauseMs } from './retries.js';
import { sleep } from './sleep.js';
import { isSettled, type Resource } from './types.js';

/**
 * The number of resources read at once, and how long in milliseconds the service may be unreachable before waiting
 * fails.
 */
const parallelLooks = 4;
const awayMs = 300_000;

/** Whether a later read may succeed: a 404 without our error code is that of a proxy. */
const mayRecover = (error: unknown): boolean =>
  isTransient(error) || (error instanceof ApiError && error.code === 'HTTP_404');

/** Watches resources until they settle. */
export interface Follower {
  /**
   * Resolves with the resource once it is no longer PROCESSING, or null if it was deleted.
   *
   * @param options.signal Stops only this wait.
   * @param options.onLook Receives the resource when it is read, if something in it is new for this wait.
   */
  settled(
    id: string,
    options?: { readonly signal?: AbortSignal; readonly onLook?: (resource: Resource) => void },
  ): Promise<Resource | null>;
  /** Never resolves; rejects if following cannot continue. */
  readonly failed: Promise<never>;
}

/** A wait for a resource. */
interface Wait {
  readonly resolve: (resource: Resource | null) => void;
  readonly reject: (error: unknown) => void;
  readonly onLook: (resource: Resource) => void;
  /** The resource as this wait has seen it. */
  seen: string;
}

/** A resource with its waits. */
interface Followed {
  readonly waits: Set<Wait>;
  seen: string;
}

/**
 * Reads each resource once when it is added, since it may have settled before the stream began, and again whenever a
 * change is reported. Statuses are taken from these reads, never from the events themselves.
 *
 * @param options.onLook Receives each resource that was read, if something in it is new.
 * @param options.onUnknown Called for a change of a resource that is not followed.
 */
export function followResources(
  client: Pick<Client, 'GET'>,
  changes: Changes,
  options: {
    readonly signal: AbortSignal;
    readonly onLook: (resource: Resource) => void;
    readonly onUnknown?: (id: string) => void;
    readonly onEverything?: () => void;
  },
): Follower {
  const { onLook } = options;
  const failure = new AbortController();
  const signal = AbortSignal.any([options.signal, failure.signal]);
  const followed = new Map<string, Followed>();
  const looking = new Set<string>();
  const again = new Set<string>();
  const limit = pLimit(parallelLooks);
  let failures = 0;
  let awaySince = 0;

  const look = async (id: string): Promise<void> => {
    const entry = followed.get(id);
    if (entry === undefined) return;
    // What is read may be older than a wait that begins meanwhile; `settled` requests another read.
    const waits = [...entry.waits];
    try {
      const { value: resource } = await client.GET('/resources/{id}', { params: { path: { id } }, signal });
      failures = 0;
      const now = JSON.stringify(resource);
      if (now !== entry.seen) {
        entry.seen = now;
        changes.stir();
        onLook(resource);
      }
      for (const wait of waits) if (entry.waits.has(wait)) show(id, wait, resource, now);
      if (isSettled(resource)) end(id, waits, ({ resolve }) => resolve(resource));
    } catch (error) {
      if (!mayRecover(error)) failures = 0;
      else if (failures++ === 0) awaySince = Date.now();
      if (error instanceof ApiError && error.code === 'NOT_FOUND')
        end(id, waits, ({ resolve }) => resolve(null));
      else if (mayRecover(error) && Date.now() - awaySince < awayMs) {
        again.add(id);
        // The pause counts towards `parallelLooks`, so that many resources do not cause many requests either.
        await sleep(Math.max(pauseMs(failures), askedMs(error)), signal).catch(() => undefined);
      } else end(id, waits, ({ reject }) => reject(error));
    }
  };
  const show = (id: string, wait: Wait, resource: Resource, now: string): void => {
    if (now === wait.seen) return;
    wait.seen = now;
    try {
      wait.onLook(resource);
    } catch (error) {
      end(id, [wait], ({ reject }) => reject(error));
    }
  };
  const end = (id: string, waits: Iterable<Wait>, tell: (wait: Wait) => void): void => {
    const entry = followed.get(id);
    for (const wait of waits) {
      entry?.waits.delete(wait);
      tell(wait);
    }
    if (entry?.waits.size === 0) followed.delete(id);
  };
  /** Runs at most one read per resource at a time; requests during a read cause one more read. */
  const lookSoon = (id: string): void => {
    if (looking.has(id)) {
      again.add(id);
      return;
    }
    looking.add(id);
    void limit(async () => {
      again.delete(id);
      await look(id);
      looking.delete(id);
      if (again.delete(id) && !signal.aborted) lookSoon(id);
    });
  };
  const stop = (): void => {
    for (const [id, { waits }] of followed) end(id, waits, ({ reject }) => reject(signal.reason));
  };
  signal.addEventListener('abort', stop, { once: true });

  const failed = changes.follow({
    everything() {
      options.onEverything?.();
      for (const id of followed.keys()) lookSoon(id);
    },
    resource(id) {
      if (followed.has(id)) lookSoon(id);
      else options.onUnknown?.(id);
    },
  });
  failed.catch((error: unknown) => failure.abort(error));

  return {
    failed,
    async settled(id, { signal: own, onLook: onOwnLook = () => undefined } = {}) {
      signal.throwIfAborted();
      own?.throwIfAborted();
      const left = new AbortController();
      try {
        return await new Promise<Resource | null>((resolve, reject) => {
          const wait: Wait = { resolve, reject, onLook: onOwnLook, seen: '' };
          const entry = followed.get(id) ?? { waits: new Set(), seen: '' };
          followed.set(id, entry);
          entry.waits.add(wait);
          const onAbort = (): void => end(id, [wait], () => reject(own?.reason as Error));
          own?.addEventListener('abort', onAbort, { signal: left.signal });
          changes.stir();
          lookSoon(id);
        });
      } finally {
        left.abort();
      }
    },
  };
}
