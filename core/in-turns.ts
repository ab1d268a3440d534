/** Milliseconds of work before yielding to the event loop. */
const turnMs = 10;

/** Maps a long list without blocking the event loop. Each item must take less than one turn. */
export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  const turn = startTurns();
  for (const item of items) {
    results.push(map(item));
    if (turn.isOver()) await turn.next();
  }
  return results;
}

export interface EventLoopTurns {
  isOver(): boolean;
  next(): Promise<void>;
}

/** Divides long work into turns: call `next` between two of its parts whenever a turn is over. */
export function startTurns(): EventLoopTurns {
  let begun = performance.now();
  return {
    isOver: () => performance.now() - begun >= turnMs,
    async next() {
      await nextTurn();
      begun = performance.now();
    },
  };
}

/** Resolves after everything that waits for the event loop has run. */
export async function nextTurn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
