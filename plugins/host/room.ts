type Place = 'any' | 'light';

/** A task that waits for its turn. */
interface Waiting {
  readonly weight: number;
  readonly begin: (place: Place) => void;
}

/** Runs a limited number of tasks at once, plus a light one. */
export interface Room {
  /**
   * Runs a task when a place is free. `weight` is proportional to its work, such as the bytes of a text; Infinity if
   * unknown. A task that is still waiting when the signal aborts leaves the room, with the signal's reason.
   */
  run<Result>(weight: number, signal: AbortSignal, task: () => Promise<Result>): Promise<Result>;
  /** Whether tasks are waiting. */
  isFull(): boolean;
}

/**
 * Creates a room in which `places` tasks run at once, in order of arrival. One more place is for tasks with a weight of
 * at most `lightest`, the lightest first. Thus short tasks never wait for long ones, and long tasks wait only for their
 * turn.
 */
export function createRoom(places: number, lightest: number): Room {
  const waiting: Waiting[] = [];
  const free: Record<Place, number> = { any: places, light: 1 };

  const beginNext = (): void => {
    const place = free.any > 0 ? 'any' : 'light';
    if (free[place] === 0) return;
    const next = place === 'any' ? waiting.shift() : takeLightest();
    if (next === undefined) return;
    free[place] -= 1;
    next.begin(place);
  };

  const takeLightest = (): Waiting | undefined => {
    const weight = Math.min(...waiting.map((each) => each.weight));
    if (!(weight <= lightest)) return undefined;
    return waiting.splice(
      waiting.findIndex((each) => each.weight === weight),
      1,
    )[0];
  };

  return {
    isFull: () => waiting.length > 0,
    async run(weight, signal, task) {
      signal.throwIfAborted();
      const place = await new Promise<Place>((resolve, reject) => {
        const leave = (): void => {
          waiting.splice(waiting.indexOf(entry), 1);
          reject(signal.reason as Error);
        };
        const entry: Waiting = {
          weight,
          begin(free) {
            signal.removeEventListener('abort', leave);
            resolve(free);
          },
        };
        signal.addEventListener('abort', leave, { once: true });
        waiting.push(entry);
        beginNext();
      });
      try {
        return await task();
      } finally {
        free[place] += 1;
        beginNext();
      }
    },
  };
}
