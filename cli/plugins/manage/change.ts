import { withService } from '../../command.js';
import { ifMatch, type Client } from '../../service/client.js';
import { ApiError } from '../../service/api-error.js';
import type { ServiceFlags } from '../../service/find-service.js';
import type { Plugin } from '../../service/types.js';
import { requireYes } from '../../terminal/require-yes.js';
import { pluginPath } from './path.js';

const mostTries = 5;

/** `kw plugins enable`, `kw plugins disable`. */
export async function setActive(
  ids: readonly string[],
  isActive: boolean,
  flags: ServiceFlags & { readonly json?: boolean },
): Promise<void> {
  await withService(flags, async ({ client, output }) => {
    const plugins: Plugin[] = [];
    for (const id of ids) {
      const plugin = await switchTo(client, id, isActive);
      plugins.push(plugin);
      if (flags.json !== true) output.line(`${id}: ${plugin.is_active ? 'active' : 'inactive'}`);
    }
    if (flags.json === true) output.json(plugins);
  });
}

/** The API flips: only what was seen in the other state is flipped, so that two who mean the same do not undo it. */
async function switchTo(client: Client, id: string, isActive: boolean): Promise<Plugin> {
  for (let tried = 1; ; tried += 1) {
    const { body, etag } = await client.call<Plugin>('GET', pluginPath(id));
    if (body.is_active === isActive) return body;
    try {
      return (await client.call<Plugin>('PUT', `${pluginPath(id)}/toggle`, ifMatch(etag))).body;
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
      await client.call('DELETE', pluginPath(id));
      output.line(`Deleted ${id}.`);
    }
  });
}
