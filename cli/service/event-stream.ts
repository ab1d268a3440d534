import { createParser, type EventSourceMessage } from 'eventsource-parser';

import type { Client } from './client.js';

/** A frame of the service's stream of events. */
export interface ServiceEvent {
  /** What `Last-Event-ID` is to be, to go on after it; null: it names no place. */
  readonly id: string | null;
  /** ready, reset, resource.updated, step.updated … */
  readonly name: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A stream says something at least every 15 s. */
const silenceMs = 40_000;
const mediaType = /^text\/event-stream\b/;

/** The service has no stream of events: an older version, or something in between does not let it through. */
export class NoEventStream extends Error {
  override readonly name = 'NoEventStream';
}

/**
 * The events of a service from a place on, until the stream ends. One try: who reads it decides about the next.
 *
 * @throws NoEventStream, or what `Client` throws
 */
export async function* readEvents(
  client: Client,
  options: {
    readonly lastEventId: string | null;
    readonly signal: AbortSignal;
    readonly onRetry: (ms: number) => void;
  },
): AsyncGenerator<ServiceEvent> {
  const { lastEventId, signal, onRetry } = options;
  const { type, body, discard } = await client.open('/events', {
    headers: {
      accept: 'text/event-stream',
      ...(lastEventId !== null && { 'last-event-id': lastEventId }),
    },
    patience: { tries: 1 },
    silenceMs,
    signal,
  });
  if (!mediaType.test(type)) {
    discard();
    throw new NoEventStream(`GET /events was answered with ${type}`);
  }
  const arrived: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => arrived.push(event), onRetry });
  const decoder = new TextDecoder();
  for await (const bytes of body) {
    parser.feed(decoder.decode(bytes, { stream: true }));
    for (const event of arrived.splice(0)) yield toServiceEvent(event);
  }
}

function toServiceEvent({ id, event, data }: EventSourceMessage): ServiceEvent {
  return { id: id ?? null, name: event ?? 'message', fields: readFields(data) };
}

/** What is no object says nothing more than its name. */
function readFields(data: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
