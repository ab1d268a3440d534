import { createParser, type EventSourceMessage } from 'eventsource-parser';

import type { Client, ServiceEvent } from './api.js';
import { Unreachable } from './errors.js';

/** The service sends something at least every 15 s. */
const silenceMs = 40_000;
const mediaType = /^text\/event-stream\b/;

/** The service has no event stream: it is an older version, or a proxy blocks the stream. */
export class NoEventStream extends Error {
  override readonly name = 'NoEventStream';
}

/**
 * Yields the service's events after a position, until the stream ends. Does not retry; the caller decides about
 * retries.
 *
 * @throws NoEventStream, or what `Client` throws
 */
export async function* readEvents(
  client: Pick<Client, 'open'>,
  options: {
    readonly lastEventId: string | null;
    readonly signal: AbortSignal;
    /** Receives the pause in milliseconds that the service asks for before the next connection. */
    readonly onRetry?: (ms: number) => void;
    readonly onOpen?: () => void;
    /** Receives the id of each heartbeat: the stream can be resumed from there, as after an event. */
    readonly onHeartbeat?: (id: string) => void;
  },
): AsyncGenerator<ServiceEvent> {
  const { lastEventId, signal, onRetry, onHeartbeat } = options;
  const { headers, body } = await client.open('/events', {
    headers: {
      accept: 'text/event-stream',
      ...(lastEventId !== null && { 'last-event-id': lastEventId }),
    },
    patience: { tries: 1 },
    signal,
  });
  const type = headers.get('content-type') ?? '';
  if (body === null || !mediaType.test(type)) {
    await body?.cancel();
    throw new NoEventStream(
      `The response to GET /events has ${type === '' ? 'no type' : `the type ${type}`}.`,
    );
  }
  options.onOpen?.();
  const arrived: EventSourceMessage[] = [];
  const parser = createParser({
    onEvent: (event) => arrived.push(event),
    onRetry: (ms) => onRetry?.(ms),
  });
  const decoder = new TextDecoder();
  const withData = markFrames();
  for await (const bytes of whileHeard(body.getReader())) {
    parser.feed(withData(decoder.decode(bytes, { stream: true })));
    for (const event of arrived.splice(0)) {
      if (event.data !== '') yield toServiceEvent(event);
      else if (event.id !== undefined) onHeartbeat?.(event.id);
    }
  }
}

/**
 * Returns a function that adds an empty line of data to each frame of a text that arrives in pieces. The parser does not
 * report frames without data, such as heartbeats. To the JSON of an event, it adds only a line break.
 */
function markFrames(): (text: string) => string {
  let before = '';
  return (text) => {
    const marked = (before + text).replace(/\n(?=\n)/g, '\ndata\n').slice(before.length);
    if (text !== '') before = text.endsWith('\n') ? '\n' : '';
    return marked;
  };
}

/** Yields the bytes of a stream. Throws Unreachable if it is interrupted or silent for too long. */
async function* whileHeard(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    for (;;) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const silence = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new TypeError(`silent for ${silenceMs / 1000} s`)), silenceMs);
      });
      const { done, value } = await Promise.race([reader.read(), silence]).finally(() => clearTimeout(timer));
      if (done) return;
      yield value;
    }
  } catch (error) {
    throw error instanceof TypeError ? new Unreachable('The stream of events', false, error) : error;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function toServiceEvent({ id, event, data }: EventSourceMessage): ServiceEvent {
  return { id: id ?? null, name: event ?? 'message', fields: readFields(data) };
}

/** Returns the fields of an event's data; none if the data is not an object. */
function readFields(data: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
