import pLimit from 'p-limit';
import type { Logger } from '../logging/logger.js';
import { failsAllCalls } from '../temporal/errors.js';
import { createRepeats } from './repeats.js';

interface Work<Item, Answer> {
  /** Calls Temporal. If that fails for one item, the others continue. */
  readonly ask: (item: Item) => Promise<Answer>;
  /** Records the answer in the tables. */
  readonly take: (item: Item, answer: Answer) => Promise<void> | void;
  /** The log fields that name an item. */
  readonly fields: (item: Item) => Readonly<Record<string, unknown>>;
  /** How many items are worked on at once. Default: 1. */
  readonly atOnce?: number;
}

/**
 * Calls Temporal for each item and records the answers; returns the errors of the calls that failed. Stops and throws
 * if no call can succeed or an answer cannot be recorded: during an outage, each item would wait for its timeout.
 */
export type TemporalLoop = <Item, Answer>(
  items: readonly Item[],
  work: Work<Item, Answer>,
) => Promise<readonly unknown[]>;

/** Creates the loop of a sweep. It logs failed calls, but each message only once a minute. */
export function createTemporalLoop(log: Logger): TemporalLoop {
  const repeats = createRepeats();
  return async (items, { ask, take, fields, atOnce = 1 }) => {
    type Item = (typeof items)[number];
    const refusals: { readonly err: unknown; readonly item: Item }[] = [];
    const outages: unknown[] = [];
    const work = async (item: Item): Promise<void> => {
      let answer: Awaited<ReturnType<typeof ask>>;
      try {
        answer = await ask(item);
      } catch (err) {
        if (failsAllCalls(err)) throw err;
        refusals.push({ err, item });
        return;
      }
      await take(item, answer);
    };
    const limit = pLimit(atOnce);
    await Promise.all(
      items.map((item) =>
        limit(async () => {
          if (outages.length === 0) await work(item).catch((error: unknown) => outages.push(error));
        }),
      ),
    );
    const [first] = refusals;
    if (first !== undefined && repeats.isNew(first.err))
      log.warn(
        { err: first.err, ...fields(first.item), calls: refusals.length },
        'calls to Temporal failed, with this error first; the sweep continued with the other calls',
      );
    if (outages.length > 0) throw outages[0];
    return refusals.map(({ err }) => err);
  };
}
