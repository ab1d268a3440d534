import pLimit from 'p-limit';
import type { RunRef } from '../../core/runs/refs.js';
import type { Logger } from '../logging/logger.js';
import { isUnavailable } from '../temporal/errors.js';

interface Work<Item, Answer> {
  /** Calls Temporal. If that fails for one item, the others continue. */
  readonly ask: (item: Item) => Promise<Answer>;
  /** Records the answer in the tables. */
  readonly take: (item: Item, answer: Answer) => Promise<void>;
  readonly log: Logger;
  /** How many items are worked on at once. Default: 1. */
  readonly atOnce?: number;
}

/**
 * Asks Temporal about each run and records the answers; logs that some calls failed. Stops and throws if Temporal is
 * unavailable or an answer cannot be recorded: during an outage, each item would wait for its time-out.
 */
export async function forEachDespiteRefusals<Item extends RunRef, Answer>(
  items: readonly Item[],
  { ask, take, log, atOnce = 1 }: Work<Item, Answer>,
): Promise<void> {
  const refusals: { readonly err: unknown; readonly item: Item }[] = [];
  const outages: unknown[] = [];
  const work = async (item: Item): Promise<void> => {
    let answer: Answer;
    try {
      answer = await ask(item);
    } catch (err) {
      if (isUnavailable(err)) throw err;
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
  if (first !== undefined) {
    const { resourceId, run } = first.item;
    log.warn(
      { err: first.err, resource_id: resourceId, run, calls: refusals.length },
      'calls to Temporal failed, the first one for this run; the sweep continued with the others',
    );
  }
  if (outages.length > 0) throw outages[0];
}
