import { CommandError } from '../exit.js';
import { watchChanges, followResources, type Resource } from '@knowledge-warehouse/client';
import type { CommandContext } from '../command.js';
import type { Board } from './board.js';

/** Waits for resources and shows their progress on a board. */
export interface Waiter {
  /**
   * Resolves with the resource once it is no longer PROCESSING; its line ends with the wait. Throws CommandError if it
   * was deleted.
   */
  wait(key: string, label: string, resource: Pick<Resource, 'id'>): Promise<Resource>;
}

export function createWaiter({ client, signal }: CommandContext, board: Board): Waiter {
  const waiting = new Map<string, { readonly key: string; readonly label: string }>();
  const follower = followResources(client, watchChanges(client, signal), {
    signal,
    onLook(resource) {
      const shown = waiting.get(resource.id);
      if (shown !== undefined) board.resource(shown.key, shown.label, resource);
    },
  });
  return {
    async wait(key, label, { id }) {
      waiting.set(id, { key, label });
      const resource = await follower.settled(id).finally(() => board.remove(key));
      waiting.delete(id);
      if (resource === null) throw new CommandError('it was deleted in the meantime');
      return resource;
    },
  };
}
