/**
 * Takes items as they come and passes them on together: the first soon, the others at most once per `everyMs`, however
 * many come. Returns the function that takes one, and one that drops what waits.
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
