import { basePath } from '../base-path.js';
import { onSignOfLife, openEventSource, type StreamListener } from './event-source.js';
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
 * next tab continues after the last event it received, or after `firstId`. Ends when the signal aborts.
 */
export function openSharedStream(
  firstId: string | null,
  listener: StreamListener,
  signal: AbortSignal,
): void {
  // Locks only exist in secure contexts, although the types say always. Elsewhere each tab reads its own stream.
  const locks = (navigator as { readonly locks?: LockManager }).locks;
  if (locks === undefined) {
    onSignOfLife(openEventSource(firstId, listener, signal), signal);
    return;
  }

  const channel = new BroadcastChannel(channelName);
  signal.addEventListener('abort', () => channel.close());
  let lastId = firstId;
  let connection: Connection = { state: 'connecting', refusal: null };
  /** Reconnects soon. Null: another tab reads. */
  let hurry: (() => void) | null = null;

  const tell = (message: Message): void => {
    if (!signal.aborted) channel.postMessage(message);
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
    else if (data.kind === 'hurry') hurry?.();
    else if (hurry !== null) tell({ kind: 'connection', connection });
  });
  tell({ kind: 'hello' });
  onSignOfLife(() => {
    if (hurry !== null) hurry();
    else if (connection.state === 'paused') tell({ kind: 'hurry' });
  }, signal);

  const reading: StreamListener = {
    onEvent(event, id) {
      hearEvent(event, id);
      tell({ kind: 'event', event, id });
    },
    onConnection(now) {
      hearConnection(now);
      tell({ kind: 'connection', connection: now });
    },
    onRefused: () => listener.onRefused(),
  };
  const read = (): Promise<void> =>
    new Promise((release) => {
      hurry = openEventSource(lastId, reading, signal);
      signal.addEventListener('abort', () => release());
    });
  // Rejects if this tab stops before it gets the lock.
  locks.request(channelName, { signal }, read).catch(() => undefined);
}
