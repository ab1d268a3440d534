import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { createContext, use, useEffect, useState, type ReactElement, type ReactNode } from 'react';
import { isAway } from '../api/client.js';
import { resourceKeys } from '../api/resources.js';
import { sessionKey, type KnownSession } from '../api/session.js';
import { statisticsKey } from '../api/statistics.js';
import { keysToReload, liveKeys, patchCaches } from './apply-events.js';
import { inBatches } from './batches.js';
import type { StreamListener } from './event-source.js';
import type { Connection, LiveEvent } from './events.js';
import { openSharedStream } from './shared-stream.js';

const connecting: Connection = { state: 'connecting', refusal: null };
const ConnectionContext = createContext(connecting);

/** Returns the state of the connection for live updates. */
export const useConnection = (): Connection => use(ConnectionContext);

const patchEveryMs = 100;
const reloadEveryMs = 1_000;
/** The service caches counts for two seconds, so a count from before an event is requested again. */
const recountAfterMs = 2_500;

/** Keeps everything below it up to date while the user is logged in. */
export function Live({ children }: { readonly children: ReactNode }): ReactElement {
  const client = useQueryClient();
  const [connection, setConnection] = useState(connecting);

  useEffect(() => {
    const patches = inBatches<LiveEvent>(patchEveryMs, (events) => patchCaches(client, events));
    const reloads = inBatches<readonly unknown[]>(reloadEveryMs, (all) => {
      for (const queryKey of new Map(all.map((key) => [JSON.stringify(key), key])).values()) {
        // A response in flight may be older than the event. Reload when it has arrived, so that slow responses are
        // neither always cancelled nor shown as final.
        if (client.isFetching({ queryKey }) > 0 || isPausing(client, queryKey)) reloads.take(queryKey);
        else void client.invalidateQueries({ queryKey });
      }
    });
    let recount: ReturnType<typeof setTimeout> | undefined;
    // Every view is loaded after the session, so the stream contains all that they may not show yet.
    const session = client.getQueryData<KnownSession | null>(sessionKey);
    const stopped = new AbortController();
    const listener: StreamListener = {
      onEvent(event) {
        patches.take(event);
        const keys = keysToReload(event);
        for (const key of keys) reloads.take(key);
        // The response may be older than the event and contain rows that are not there yet to be patched.
        if (client.isFetching({ queryKey: resourceKeys.lists }) > 0) reloads.take(resourceKeys.lists);
        if (!keys.includes(statisticsKey)) return;
        clearTimeout(recount);
        recount = setTimeout(() => reloads.take(statisticsKey), recountAfterMs);
      },
      onConnection(now) {
        setConnection(now);
        // Events are sent once, so requests that failed during an outage must be repeated here.
        if (now.state === 'open')
          void client.invalidateQueries({ predicate: ({ state }) => isAway(state.error) });
        // Each try to open a refused stream is also a poll.
        if (now.refusal !== null) for (const key of liveKeys) reloads.take(key);
      },
      onRefused: () => void client.invalidateQueries({ queryKey: sessionKey }),
    };
    openSharedStream(session?.last_event_id ?? null, listener, stopped.signal);
    return () => {
      stopped.abort();
      clearTimeout(recount);
      patches.stop();
      reloads.stop();
    };
  }, [client]);

  return <ConnectionContext value={connection}>{children}</ConnectionContext>;
}

/**
 * Whether an active query was loaded less than its `meta.pauseMs` ago. False for the empty key: a reload of all queries
 * does not wait for one of them.
 */
const isPausing = (client: QueryClient, queryKey: readonly unknown[]): boolean =>
  queryKey.length > 0 &&
  client
    .getQueryCache()
    .findAll({ queryKey, type: 'active' })
    .some(({ meta, state }) => Date.now() - state.dataUpdatedAt < Number(meta?.pauseMs ?? 0));
