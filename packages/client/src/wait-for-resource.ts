import type { Client } from './api.js';
import { watchChanges } from './changes.js';
import { followResources, type Follower } from './follow-resources.js';
import type { Resource } from './types.js';

/** What the waits of a client share: one stream, or one poll, however many they are. */
interface Shared {
  readonly follower: Follower;
  readonly stop: AbortController;
  waits: number;
}
const sharedBy = new WeakMap<Pick<Client, 'GET' | 'open'>, Shared>();

function share(client: Pick<Client, 'GET' | 'open'>): Shared {
  const stop = new AbortController();
  const { signal } = stop;
  const onLook = (): void => undefined;
  const follower = followResources(client, watchChanges(client, signal), { signal, onLook });
  const shared = { follower, stop, waits: 0 };
  sharedBy.set(client, shared);
  follower.failed.catch(() => forget(client, shared));
  return shared;
}

function forget(client: Pick<Client, 'GET' | 'open'>, shared: Shared): void {
  if (sharedBy.get(client) === shared) sharedBy.delete(client);
}

/**
 * Waits until a resource has settled and resolves with it, or null if it was deleted. Uses the service's events, or
 * polls if they are refused. All waits of a client that are open at a time use one stream of events.
 *
 * @param options.onChange Receives the resource whenever something in it is new.
 */
export async function waitForResource(
  client: Pick<Client, 'GET' | 'open'>,
  id: string,
  options: { readonly signal?: AbortSignal; readonly onChange?: (resource: Resource) => void } = {},
): Promise<Resource | null> {
  const { signal, onChange } = options;
  signal?.throwIfAborted();
  const shared = sharedBy.get(client) ?? share(client);
  shared.waits += 1;
  try {
    return await shared.follower.settled(id, { signal, onLook: onChange });
  } finally {
    shared.waits -= 1;
    if (shared.waits === 0) {
      forget(client, shared);
      shared.stop.abort();
    }
  }
}
