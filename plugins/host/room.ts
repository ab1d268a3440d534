type Place = 'any' | 'light';

/** Something that waits for its turn. */
interface Waiting {
  readonly weight: number;
  readonly begin: (place: Place) => void;
}

/** A room for so many tasks at once, and for one more that is light. */
export interface Room {
  /**
   * Runs a task when there is room for it. `weight` is what its work is in proportion to, such as the bytes of a text; Infinity
   * where nothing is known of it.
   */
  run<Result>(weight: number, task: () => Promise<Result>): Promise<Result>;
  /** Whether tasks wait for their turn. */
  isFull(): boolean;
}

/**
 * Tasks begin in the order in which they came, `places` at once. One place more is for tasks that weigh at most `lightest`: the
 * lightest that waits comes first there. Thus short work never waits for long work, and long work waits for nothing but its turn.
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
    async run(weight, task) {
      const place = await new Promise<Place>((begin) => {
        waiting.push({ weight, begin });
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
