/** Runs two sides in turns, as `allInTurns` does. */
export async function inTurns<T>(
  rounds: number,
  sides: { readonly ours: () => Promise<T>; readonly beside: () => Promise<T> },
): Promise<{ readonly ours: T[]; readonly beside: T[] }> {
  return await allInTurns(rounds, sides);
}

/**
 * Runs all sides in turns, so that a machine that is slower for a while is slower for each, and the other way round in
 * each second round. One round more is run first and thrown away: nothing is compiled or connected then.
 */
export async function allInTurns<T, Side extends string>(
  rounds: number,
  sides: Readonly<Record<Side, () => Promise<T>>>,
): Promise<Record<Side, T[]>> {
  const names = Object.keys(sides) as Side[];
  const taken = Object.fromEntries(names.map((name) => [name, [] as T[]])) as Record<Side, T[]>;
  for (let round = -1; round < rounds; round++) {
    for (const side of round % 2 === 0 ? names : names.toReversed()) {
      const value = await sides[side]();
      if (round >= 0) taken[side].push(value);
    }
  }
  return taken;
}

/** Does something `count` times, so many at once. */
export async function manyAtOnce(
  count: number,
  atOnce: number,
  work: (index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, lane));
}

/** Milliseconds that something takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}
