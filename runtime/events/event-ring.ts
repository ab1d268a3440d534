import { comparePositions, type ChangeEvent, type EventPosition } from '../../core/events.js';
import { firstWhere } from '../../core/first-where.js';

/** The most recently read events, without gaps. */
export interface EventRing {
  /** Adds events read after `end`; `upTo` becomes the new end. */
  add(events: readonly ChangeEvent[], upTo: EventPosition): void;
  /** At most `limit` events after a position; null if the ring does not reach back that far. */
  after(position: EventPosition, limit: number): readonly ChangeEvent[] | null;
  /** The position up to which events were read. */
  end(): EventPosition;
}

/** A ring that starts at a position and holds `size` events. */
export function createEventRing(size: number, start: EventPosition): EventRing {
  let events: ChangeEvent[] = [];
  let floor = start;
  let end = start;

  return {
    add(more, upTo) {
      events = events.concat(more);
      const surplus = events.length - size;
      if (surplus > 0) {
        floor = events[surplus - 1]?.position ?? floor;
        events = events.slice(surplus);
      }
      end = upTo;
    },
    after(position, limit) {
      if (comparePositions(position, floor) < 0) return null;
      const isAfter = (event: ChangeEvent | undefined): boolean =>
        event === undefined || comparePositions(event.position, position) > 0;
      const first = firstWhere(0, events.length, (at) => isAfter(events[at]));
      return events.slice(first, first + limit);
    },
    end: () => end,
  };
}
