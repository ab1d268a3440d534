import { isRefusal } from '../temporal/errors.js';

/**
 * Does the work for one item after another. If Temporal refuses an item, continues with the others and throws the first
 * refusal at the end. Throws any other error at once: during an outage, each item would wait for its time-out.
 */
export async function forEachDespiteRefusals<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const refusals: unknown[] = [];
  for (const item of items) {
    try {
      await work(item);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refusals.push(error);
    }
  }
  if (refusals.length > 0) throw refusals[0];
}
