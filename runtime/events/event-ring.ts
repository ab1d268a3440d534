import { comparePositions, type ChangeEvent, type EventPosition } from '../../core/events.js';

/** The last events that were read, without a gap. */
export interface EventRing {
  /** Adds what was read after `end`; `upTo` is the end from then on. */
  add(events: readonly ChangeEvent[], upTo: EventPosition): void;
  /** The first events after a position, at most `limit`; null: it does not reach back so far. */
  after(position: EventPosition, limit: number): readonly ChangeEvent[] | null;
  /** Up to where was read. */
  end(): EventPosition;
}

/** A ring that begins at a position and holds `size` events. */
export function createEventRing(size: number, start: EventPosition): EventRing {
  let events: ChangeEvent[] = [];
  let floor = start;
  let end = start;

  /** How many events are at or before a position: they are in order. */
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
