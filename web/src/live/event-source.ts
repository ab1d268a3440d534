import { apiBase } from '../api/client.js';
import { eventNames, type Connection, type LiveEvent } from './events.js';

export interface StreamListener {
  onEvent(event: LiveEvent, id: string): void;
  onConnection(connection: Connection): void;
  /** The server refuses the stream: most often the session has ended. */
  onRefused(): void;
}

const firstPauseMs = 2_000;
const longestPauseMs = 30_000;

/**
 * Reads the API's events from after `lastId`, or from now. The browser takes up a broken connection by itself and tells
 * the server where it was; an answer that is no stream ends that, and then we ask again. Returns what stops it.
 */
export function openEventSource(lastId: string | null, listener: StreamListener): () => void {
  let source: EventSource;
  let position = lastId;
  let pauseMs = firstPauseMs;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const open = (): void => {
    const query = position === null ? '' : `?last_event_id=${encodeURIComponent(position)}`;
    source = new EventSource(`${apiBase}/events${query}`);
    source.addEventListener('open', () => {
      pauseMs = firstPauseMs;
      listener.onConnection('open');
    });
    source.addEventListener('error', () => {
      listener.onConnection('paused');
      if (source.readyState !== EventSource.CLOSED) return;
      listener.onRefused();
      timer = setTimeout(open, pauseMs);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    });
    source.addEventListener('ready', ({ lastEventId }) => (position = lastEventId || position));
    for (const name of eventNames) {
      source.addEventListener(name, ({ data, lastEventId }: MessageEvent<string>) => {
        position = lastEventId || position;
        listener.onEvent({ name, data: JSON.parse(data) as LiveEvent['data'] }, lastEventId);
      });
    }
  };

  listener.onConnection('connecting');
  open();
  return () => {
    clearTimeout(timer);
    source.close();
  };
}
