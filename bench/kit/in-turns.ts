/**
 * Runs both sides in turns, so that a machine that is slower for a while is slower for both, and the other way round in
 * each second round. One round more is run first and thrown away: nothing is compiled or connected then.
 */
export async function inTurns<T>(
  rounds: number,
  sides: { readonly ours: () => Promise<T>; readonly beside: () => Promise<T> },
): Promise<{ readonly ours: T[]; readonly beside: T[] }> {
  const taken: { readonly ours: T[]; readonly beside: T[] } = { ours: [], beside: [] };
  for (let round = -1; round < rounds; round++) {
    const order = round % 2 === 0 ? (['ours', 'beside'] as const) : (['beside', 'ours'] as const);
    for (const side of order) {
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
