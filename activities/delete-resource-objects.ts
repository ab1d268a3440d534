import { Context } from '@temporalio/activity';
import type { Deps } from '../runtime/deps.js';
import { findResource } from '../storage/resources/resources.js';
import { forgetDiscarded } from '../storage/sweeps/discarded-objects.js';
import { resourcePrefix } from '../storage/object-store/store-artifacts.js';
import { refused } from './activity-errors.js';

const batch = 500;

/** The activity that removes every object of a deleted resource. Idempotent. */
export function createDeleteResourceObjects(
  deps: Deps,
): (input: { readonly resourceId: string }) => Promise<number> {
  return async function deleteResourceObjects(input) {
    if ((await findResource(deps.db, input.resourceId)) !== null) throw refused('the resource still exists.');
    let keys: string[] = [];
    let removed = 0;
    const remove = async (): Promise<void> => {
      await deps.objectStore.delete(keys);
      await forgetDiscarded(deps.db, keys);
      removed += keys.length;
      keys = [];
      Context.current().heartbeat();
    };
    for await (const object of deps.objectStore.list(resourcePrefix(input.resourceId))) {
      keys.push(object.key);
      if (keys.length === batch) await remove();
    }
    await remove();
    deps.log.info({ objects: removed }, 'objects of a deleted resource removed');
    return removed;
  };
}
