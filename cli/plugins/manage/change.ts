import { onService, withService } from '../../command.js';
import { ifMatch, type Client } from '../../service/client.js';
import { ApiError, type Plugin } from '@knowledge-warehouse/client';
import type { JsonFlags, ServiceFlags } from '../../service/find-service.js';
import { requireYes } from '../../terminal/ask.js';

const mostTries = 5;

type Switched = Pick<Plugin, 'is_active'>;

/** `kw plugins enable`. */
export const enable = setActive(true);

/** `kw plugins disable`. */
export const disable = setActive(false);

function setActive(isActive: boolean) {
  return onService(async ({ client, output }, ids: readonly string[], flags: JsonFlags) => {
    const plugins: Switched[] = [];
    for (const id of ids) {
      const plugin = await switchTo(client, id, isActive);
      plugins.push(plugin);
      if (flags.json !== true) output.line(`${id}: ${plugin.is_active ? 'active' : 'inactive'}`);
    }
    if (flags.json === true) output.json(plugins);
  });
}

/**
 * The API toggles, so only a plugin seen in the other state is toggled. Two concurrent calls with the same
 * goal then do not undo each other.
 */
async function switchTo(client: Client, id: string, isActive: boolean): Promise<Switched> {
  for (let tried = 1; ; tried += 1) {
    const path = { id };
    const { value, etag } = await client.GET('/plugins/{id}', { params: { path } });
    if (value.is_active === isActive) return value;
    try {
      const params = { path, header: ifMatch(etag) };
      return (await client.PUT('/plugins/{id}/toggle', { params })).value;
    } catch (error) {
      const changedMeanwhile = error instanceof ApiError && error.status === 412;
      if (!changedMeanwhile || tried === mostTries) throw error;
    }
  }
}

/** `kw plugins rm`. */
export async function remove(
  ids: readonly string[],
  flags: ServiceFlags & { readonly yes?: boolean },
): Promise<void> {
  await requireYes(`Delete the plugin${ids.length === 1 ? '' : 's'} ${ids.join(', ')}?`, flags);
  await withService(flags, async ({ client, output }) => {
    for (const id of ids) {
      await client.DELETE('/plugins/{id}', { params: { path: { id } } });
      output.line(`Deleted ${id}.`);
    }
  });
}
