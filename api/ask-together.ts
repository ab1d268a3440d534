/**
 * Makes one question of what is asked in the same turn of the event loop: under load, many requests have come by then.
 * It is put after all of them asked, so that nobody is answered with what was known before they came.
 *
 * @param ask Gets each key once, and rejects for all of them or for none; keys that its answer leaves out are not there.
 * @returns Asks for one key; null: it is not there.
 */
export function askTogether<Value>(
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
