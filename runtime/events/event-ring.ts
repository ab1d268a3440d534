import { comparePositions, type ChangeEvent, type EventPosition } from '../../core/events.js';

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

  /** The number of events at or before a position; events are sorted. */
  const countUpTo = (position: EventPosition): number => {
    let [low, high] = [0, events.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const event = events[middle];
      if (event !== undefined && comparePositions(event.position, position) <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  };

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
      const first = countUpTo(position);
      return events.slice(first, first + limit);
    },
    end: () => end,
  };
}
