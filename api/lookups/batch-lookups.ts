/**
 * Batches the lookups of one turn of the event loop into one query. The query starts after the last lookup, so that no
 * caller gets data older than its request.
 *
 * @param ask Looks up unique keys, and rejects for all of them or for none. Its result omits keys that do not exist.
 * @returns A function that looks up one key and resolves to null if it does not exist.
 */
export function batchLookups<Value>(
  ask: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): (key: string) => Promise<Value | null> {
  let gathering: {
    readonly keys: Set<string>;
    readonly answer: Promise<ReadonlyMap<string, Value>>;
  } | null = null;

  const gather = (): NonNullable<typeof gathering> => {
    const keys = new Set<string>();
    const answer = new Promise<ReadonlyMap<string, Value>>((resolve, reject) => {
      setImmediate(() => {
        gathering = null;
        ask([...keys]).then(resolve, reject);
      });
    });
    return { keys, answer };
  };

  return async (key) => {
    const { keys, answer } = (gathering ??= gather());
    keys.add(key);
    return (await answer).get(key) ?? null;
  };
}
