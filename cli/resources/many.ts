import pLimit from 'p-limit';

import type { CommandContext } from '../command.js';
import { findResourceId } from '../service/find-resource.js';
import type { Resource } from '@knowledge-warehouse/client';
import { createOutcomes } from './outcomes.js';

const parallel = 4;

/**
 * Applies an action to several named resources, a few at a time.
 *
 * @param work Returns the resource's new state; null if the resource was deleted.
 * @throws CommandError if it failed for any of them; the others were processed
 */
export async function forEachResource(
  context: CommandContext,
  named: readonly string[],
  options: {
    readonly json?: boolean;
    /** Waits for the outcomes of all of them at once, because each may take long. */
    readonly wait?: (resource: Resource, name: string) => Promise<Resource>;
  },
  work: (id: string) => Promise<Resource | null>,
): Promise<void> {
  const { json = false, wait } = options;
  const outcomes = createOutcomes(context, { json, needed: wait === undefined ? 'any' : 'COMPLETED' });
  const limit = pLimit(parallel);
  const sent = new Set<number>();
  const doOne = async (name: string, index: number): Promise<void> => {
    try {
      const { id, resource } = await limit(async () => {
        context.signal.throwIfAborted();
        const found = await findResourceId(context.client, name);
        sent.add(index);
        return { id: found, resource: await work(found) };
      });
      if (resource === null) {
        outcomes.deleted(index, id, name);
        return;
      }
      outcomes.unfinished(index, resource);
      outcomes.done(index, wait === undefined ? resource : await wait(resource, name));
    } catch (error) {
      outcomes.failed(index, name, error);
    }
  };
  try {
    await Promise.all(named.map((name, index) => doOne(name, index)));
  } catch (error) {
    context.lines.end();
    limit.clearQueue();
    outcomes.abandoned(named, (index) => (sent.has(index) ? mayBeDone : 'No request was sent for it.'));
    throw error;
  }
  context.lines.end();
  outcomes.finish();
}

const mayBeDone = 'The command ended before a response arrived: the change may have been made.';
