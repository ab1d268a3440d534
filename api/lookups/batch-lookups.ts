/**
 * Batches the lookups of one turn of the event loop into one query. The query starts after the last of them, so that no
 * caller gets an answer that is older than its request.
 *
 * @param ask Gets each key once, and rejects for all of them or for none. Its answer omits keys that do not exist.
 * @returns Looks up one key; null when it does not exist.
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
