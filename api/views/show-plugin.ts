import type { FromSchema } from 'json-schema-to-ts';
import type { Db } from '../../storage/database.js';
import { readConfig, type Plugin } from '../../storage/plugins.js';
import { hideWriteOnly } from '../config-schema/hide-write-only.js';
import type { ApiDeps } from '../deps.js';
import { found } from '../not-found.js';
import { hasScope, type Principal } from '../principal.js';
import type { pluginSchema } from '../schemas/plugin.js';
import { pluginTag } from '../tags.js';
import { viewListedPlugin } from './plugin.js';

interface ShownPlugin {
  readonly body: FromSchema<typeof pluginSchema>;
  readonly headers: { readonly ETag: string };
}

/** A plugin with its config, as this principal may see it. Throws NOT_FOUND when it was deleted meanwhile. */
export async function showPlugin(
  deps: ApiDeps,
  db: Db,
  plugin: Plugin,
  principal: Principal,
): Promise<ShownPlugin> {
  const config = found(await readConfig(db, deps.config.secrets, plugin.id), 'plugin', plugin.id);
  const visible = hasScope(principal, 'admin') ? config : hideWriteOnly(plugin.config_schema, config);
  return {
    body: { ...viewListedPlugin(plugin), config: visible },
    headers: { ETag: pluginTag(deps, plugin, config) },
  };
}
