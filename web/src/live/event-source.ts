import { ApiError, NoEventStream, readEvents } from '@knowledge-warehouse/client';
import { api } from '../api/client.js';
import { eventNames, type Connection, type EventName, type LiveEvent } from './events.js';

export interface StreamListener {
  onEvent(event: LiveEvent, id: string): void;
  onConnection(connection: Connection): void;
  /** Called when the session may have ended: the server rejects it, or something else answers in its place. */
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
  let hasPaused = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const onOpen = (): void => {
    pauseMs = firstPauseMs;
    listener.onConnection('open');
  };
  const read = async (): Promise<void> => {
    try {
      for await (const { name, id, fields } of readEvents(api, { lastEventId, signal, onOpen })) {
        lastEventId = id ?? lastEventId;
        // This stream begins only now, so changes during the pause before it are unknown.
        const known = name === 'ready' && hasPaused ? 'reset' : name;
        if (isEventName(known)) listener.onEvent({ name: known, data: fields }, lastEventId ?? '');
      }
    } catch (error) {
      if (signal.aborted) return;
      // Other statuses say nothing about the session: the service is away, or the key has too many streams.
      const isRefused = error instanceof ApiError && (error.status === 401 || error.status === 403);
      if (isRefused || error instanceof NoEventStream) listener.onRefused();
    }
    if (signal.aborted) return;
    hasPaused = true;
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
