import pLimit from 'p-limit';

import { watchChanges, type Changes } from './changes.js';
import type { Client } from './api.js';
import { ApiError } from './errors.js';
import { askedMs, isTransient, pauseMs } from './retries.js';
import { sleep } from './sleep.js';
import { isSettled, type Resource } from './types.js';

/** Resources read at once, and the milliseconds for which the service may be unreachable before waiting fails. */
const parallelLooks = 4;
const awayMs = 300_000;

/** Whether a later read may succeed: a 404 without our error code is that of a proxy. */
const mayRecover = (error: unknown): boolean =>
  isTransient(error) || (error instanceof ApiError && error.code === 'HTTP_404');

/** Watches resources until they settle. */
export interface Follower {
  /** Resolves with the resource once it is no longer PROCESSING, or null if it was deleted. */
  settled(id: string): Promise<Resource | null>;
  /** Never resolves; rejects if following cannot continue. */
  readonly failed: Promise<never>;
}

interface Followed {
  readonly promise: Promise<Resource | null>;
  readonly resolve: (resource: Resource | null) => void;
  readonly reject: (error: unknown) => void;
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
    try {
      const { value: resource } = await client.GET('/resources/{id}', { params: { path: { id } }, signal });
      failures = 0;
      const now = JSON.stringify(resource);
      if (now !== entry.seen) {
        entry.seen = now;
        changes.stir();
        onLook(resource);
      }
      if (isSettled(resource)) end(id, () => entry.resolve(resource));
    } catch (error) {
      if (!mayRecover(error)) failures = 0;
      else if (failures++ === 0) awaySince = Date.now();
      if (error instanceof ApiError && error.code === 'NOT_FOUND') end(id, () => entry.resolve(null));
      else if (mayRecover(error) && Date.now() - awaySince < awayMs) {
        again.add(id);
        // The pause counts towards `parallelLooks`, so that many resources do not cause many requests either.
        await sleep(Math.max(pauseMs(failures), askedMs(error)), signal).catch(() => undefined);
      } else end(id, () => entry.reject(error));
    }
  };
  const end = (id: string, tell: () => void): void => {
    followed.delete(id);
    tell();
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
    for (const [id, { reject }] of followed) end(id, () => reject(signal.reason));
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
    settled(id) {
      if (signal.aborted) return Promise.reject(signal.reason as Error);
      const shared = followed.get(id)?.promise;
      if (shared !== undefined) return shared;
      let resolve: Followed['resolve'] = () => undefined;
      let reject: Followed['reject'] = () => undefined;
      const promise = new Promise<Resource | null>((...functions) => ([resolve, reject] = functions));
      followed.set(id, { promise, resolve, reject, seen: '' });
      changes.stir();
      lookSoon(id);
      return promise;
    },
  };
}

/**
 * Waits until a resource has settled and resolves with it, or null if it was deleted. Uses the service's events, or
 * polls if they are refused.
 *
 * @param options.onChange Receives the resource whenever something in it is new.
 */
export async function waitForResource(
  client: Pick<Client, 'GET' | 'open'>,
  id: string,
  options: { readonly signal?: AbortSignal; readonly onChange?: (resource: Resource) => void } = {},
): Promise<Resource | null> {
  const done = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, done.signal]) : done.signal;
  const onLook = options.onChange ?? (() => undefined);
  const follower = followResources(client, watchChanges(client, signal), { signal, onLook });
  try {
    return await Promise.race([follower.settled(id), follower.failed]);
  } finally {
    done.abort();
  }
}
