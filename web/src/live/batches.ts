/**
 * Collects items and passes them on in batches: the first soon, further ones at most once per `everyMs` milliseconds.
 * Returns a function that adds an item, and one that drops waiting items.
 */
export function inBatches<Item>(
  everyMs: number,
  pass: (items: readonly Item[]) => void,
): { readonly take: (item: Item) => void; readonly stop: () => void } {
  let waiting: Item[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    const items = waiting;
    waiting = [];
    timer = items.length === 0 ? undefined : setTimeout(flush, everyMs);
    if (items.length > 0) pass(items);
  };
  return {
    take(item) {
      waiting.push(item);
      timer ??= setTimeout(flush, Math.min(everyMs, 50));
    },
    stop() {
      clearTimeout(timer);
      waiting = [];
    },
  };
}
