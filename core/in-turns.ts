/** Milliseconds of work before yielding to the event loop. */
const turnMs = 10;

/** Maps a long list without blocking the event loop. Each item must take less than one turn. */
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

/** Resolves after everything that waits for the event loop has run. */
export async function nextTurn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
