/**
 * Yields the results of `work` for the items in order, and computes the next one while the current one is
 * consumed. Aborts pending work if the consumer stops or a call fails.
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
    // A failure is thrown when its result is due.
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
