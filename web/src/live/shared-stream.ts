import { basePath } from '../base-path.js';
import { onSignOfLife, openEventSource, type EventStream, type StreamListener } from './event-source.js';
import type { Connection, LiveEvent } from './events.js';

type Message =
  | { readonly kind: 'event'; readonly event: LiveEvent; readonly id: string }
  | { readonly kind: 'connection'; readonly connection: Connection }
  | { readonly kind: 'hello' }
  | { readonly kind: 'hurry' };

const channelName = `kw-events${basePath}`;

/**
 * Reads events once for all tabs: over HTTP/1.1 a browser opens six connections per host, so six tabs with streams
 * would block all other requests. The tab that holds the lock reads and broadcasts to the others. When it closes, the
 * next tab continues after the last event it received, or after `firstId`. Returns a function that stops it.
 */
export function openSharedStream(firstId: string | null, listener: StreamListener): () => void {
  // Locks only exist in secure contexts, although the types say always. Elsewhere each tab reads its own stream.
  const locks = (navigator as { readonly locks?: LockManager }).locks;
  if (locks === undefined) {
    const stream = openEventSource(firstId, listener);
    const stopSigns = onSignOfLife(stream.hurry);
    return () => {
      stopSigns();
      stream.close();
    };
  }

  const channel = new BroadcastChannel(channelName);
  const stopped = new AbortController();
  let lastId = firstId;
  let connection: Connection = { state: 'connecting', refusal: null };
  /** Null: another tab reads. */
  let stream: EventStream | null = null;

  const tell = (message: Message): void => {
    if (!stopped.signal.aborted) channel.postMessage(message);
  };
  const hearEvent = (event: LiveEvent, id: string): void => {
    lastId = id || lastId;
    listener.onEvent(event, id);
  };
  const hearConnection = (now: Connection): void => {
    connection = now;
    listener.onConnection(now);
  };

  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'event') hearEvent(data.event, data.id);
    else if (data.kind === 'connection') hearConnection(data.connection);
    else if (data.kind === 'hurry') stream?.hurry();
    else if (stream !== null) tell({ kind: 'connection', connection });
  });
  tell({ kind: 'hello' });
  const stopSigns = onSignOfLife(() => {
    if (stream !== null) stream.hurry();
    else if (connection.state === 'paused') tell({ kind: 'hurry' });
  });

  const read = (): Promise<void> =>
    new Promise((release) => {
      const opened = openEventSource(lastId, {
        onEvent(event, id) {
          hearEvent(event, id);
          tell({ kind: 'event', event, id });
        },
        onConnection(now) {
          hearConnection(now);
          tell({ kind: 'connection', connection: now });
        },
        onRefused: () => listener.onRefused(),
      });
      stream = opened;
      stopped.signal.addEventListener('abort', () => {
        opened.close();
        release();
      });
    });
  // Rejects if this tab stops before it gets the lock.
  locks.request(channelName, { signal: stopped.signal }, read).catch(() => undefined);

  return () => {
    stopSigns();
    stopped.abort();
    channel.close();
  };
}
