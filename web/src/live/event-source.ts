import { ApiError, NoEventStream, readEvents } from '@knowledge-warehouse/client';
import { api, isApiError, isAway, onAnswer } from '../api/client.js';
import { eventNames, type Connection, type EventName, type LiveEvent } from './events.js';

export interface StreamListener {
  onEvent(event: LiveEvent, id: string): void;
  onConnection(connection: Connection): void;
  /** Called when the session may have ended: something answers, but not with the stream. */
  onRefused(): void;
}

const firstPauseMs = 2_000;
const longestPauseMs = 30_000;

/**
 * Reads the API's events after `lastId`, or from now on, until the signal aborts, and reconnects as needed. Returns a
 * function that reconnects soon if the stream pauses.
 */
export function openEventSource(
  lastId: string | null,
  listener: StreamListener,
  signal: AbortSignal,
): () => void {
  let lastEventId = lastId;
  let pauseMs = firstPauseMs;
  let pausedAt: number | null = null;
  let mayHurry = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const onOpen = (): void => {
    pauseMs = firstPauseMs;
    listener.onConnection({ state: 'open', refusal: null });
  };
  const onHeartbeat = (id: string): void => void (lastEventId = id);
  const read = async (): Promise<void> => {
    timer = undefined;
    mayHurry = true;
    let refusal: string | null = null;
    try {
      const options = { lastEventId, signal, onOpen, onHeartbeat };
      for await (const { name, id, fields } of readEvents(api, options)) {
        lastEventId = id ?? lastEventId;
        // This stream begins only now, so changes during the pause before it are unknown.
        const known = name === 'ready' && pausedAt !== null ? 'reset' : name;
        if (isEventName(known)) listener.onEvent({ name: known, data: fields }, lastEventId ?? '');
      }
    } catch (error) {
      if (signal.aborted) return;
      if ((error instanceof ApiError && !isAway(error)) || error instanceof NoEventStream) {
        if (!isApiError(error, 'UNAUTHENTICATED')) refusal = error.message;
        listener.onRefused();
      }
      // What the listener then loads must not cause the next try.
      mayHurry = refusal === null;
    }
    if (signal.aborted) return;
    pausedAt = Date.now();
    listener.onConnection({ state: 'paused', refusal });
    timer = setTimeout(() => void read(), pauseMs);
    pauseMs = Math.min(pauseMs * 2, longestPauseMs);
  };

  listener.onConnection({ state: 'connecting', refusal: null });
  void read();
  signal.addEventListener('abort', () => clearTimeout(timer));
  return () => {
    if (timer === undefined || pausedAt === null || !mayHurry) return;
    clearTimeout(timer);
    timer = setTimeout(() => void read(), Math.max(0, pausedAt + firstPauseMs - Date.now()));
  };
}

/** Calls `call` when the service may be there again, until the signal aborts. */
export function onSignOfLife(call: () => void, signal: AbortSignal): void {
  const onVisible = (): void => {
    if (document.visibilityState === 'visible') call();
  };
  window.addEventListener('online', call, { signal });
  document.addEventListener('visibilitychange', onVisible, { signal });
  onAnswer(call, signal);
}

const isEventName = (name: string): name is EventName => (eventNames as readonly string[]).includes(name);
