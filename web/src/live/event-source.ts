import { ApiError, NoEventStream, readEvents } from '@knowledge-warehouse/client';
import { api } from '../api/client.js';
import { eventNames, type Connection, type EventName, type LiveEvent } from './events.js';

export interface StreamListener {
  onEvent(event: LiveEvent, id: string): void;
  onConnection(connection: Connection): void;
  /** Called when the server rejects the stream, usually because the session has ended. */
  onRefused(): void;
}

const firstPauseMs = 2_000;
const longestPauseMs = 30_000;

/**
 * Reads the API's events after `lastId`, or from now on, and reconnects as needed. Returns a function that stops it.
 */
export function openEventSource(lastId: string | null, listener: StreamListener): () => void {
  const stopped = new AbortController();
  const { signal } = stopped;
  let lastEventId = lastId;
  let pauseMs = firstPauseMs;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const onOpen = (): void => {
    pauseMs = firstPauseMs;
    listener.onConnection('open');
  };
  const read = async (): Promise<void> => {
    try {
      for await (const { name, id, fields } of readEvents(api, { lastEventId, signal, onOpen })) {
        lastEventId = id ?? lastEventId;
        if (isEventName(name)) listener.onEvent({ name, data: fields }, lastEventId ?? '');
      }
    } catch (error) {
      if (signal.aborted) return;
      // From 500 on, the service or a proxy before it is in trouble; 0 means that there was no response.
      const isRefused = error instanceof ApiError && error.status >= 400 && error.status < 500;
      if (isRefused || error instanceof NoEventStream) listener.onRefused();
    }
    if (signal.aborted) return;
    listener.onConnection('paused');
    timer = setTimeout(() => void read(), pauseMs);
    pauseMs = Math.min(pauseMs * 2, longestPauseMs);
  };

  listener.onConnection('connecting');
  void read();
  return () => {
    clearTimeout(timer);
    stopped.abort();
  };
}

const isEventName = (name: string): name is EventName => (eventNames as readonly string[]).includes(name);
