import type { ChangeEvent } from '../../core/events.js';
import { viewEvent } from '../views/event.js';

// The format: https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream

/** Tells browsers to reconnect after this many milliseconds. */
export const retryFrame = 'retry: 2000\n\n';

const bodies = new WeakMap<ChangeEvent, string>();

/** Returns the frame of a change. The part that all streams share is rendered once. */
export function changeFrame(event: ChangeEvent, id: string): string {
  let body = bodies.get(event);
  if (body === undefined) {
    body = `event: ${event.type}\ndata: ${JSON.stringify(viewEvent(event))}\n\n`;
    bodies.set(event, body);
  }
  return `id: ${id}\n${body}`;
}

/** Returns the frame of a message about the stream itself. */
export function controlFrame(word: 'ready' | 'reset', id: string): string {
  return `id: ${id}\nevent: ${word}\ndata: {}\n\n`;
}

/** Returns a heartbeat that also advances the id. Without data, browsers do not dispatch it as an event. */
export function heartbeatFrame(id: string): string {
  return `:\nid: ${id}\n\n`;
}
