/** Milliseconds of work after which others get their turn of the event loop. */
const turnMs = 10;

/** Maps a list whose items may take long, each of them less than a turn, without holding the event loop for the whole. */
export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  let begun = performance.now();
  for (const item of items) {
    results.push(map(item));
    if (performance.now() - begun < turnMs) continue;
    await nextTurn();
    begun = performance.now();
  }
  return results;
}

/** Resolves once everything that waits for the event loop has had its turn. */
export async function nextTurn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
