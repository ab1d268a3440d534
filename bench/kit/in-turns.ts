/**
 * Runs all sides in turns, in reverse order in every second round, so that a temporarily slow machine affects all sides
 * equally. Runs one more round first and discards it, to exclude the time for compiling and connecting.
 */
export async function inTurns<T, Side extends string>(
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

/** Calls `work` `count` times with limited concurrency. */
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

/** Returns the duration in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}
