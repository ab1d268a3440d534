/**
 * Yields the results of `work` over the items, in their order, the next one being under way while the current one is
 * taken. Ends what is under way when the taker stops or a piece of work fails.
 */
export async function* inOrder<Item, Result>(
  items: readonly Item[],
  work: (item: Item, signal: AbortSignal) => Promise<Result>,
  signal: AbortSignal,
): AsyncGenerator<Result> {
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  const start = (item: Item): Promise<Result> => {
    const result = work(item, controller.signal);
    // Its failure is thrown when its turn comes.
    result.catch(() => undefined);
    return result;
  };
  try {
    let current: Promise<Result> | undefined;
    for (const [index, item] of items.entries()) {
      current ??= start(item);
      const next = items[index + 1];
      const following = next === undefined ? undefined : start(next);
      yield await current;
      current = following;
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    controller.abort();
  }
}
