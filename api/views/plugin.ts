import type { FromSchema } from 'json-schema-to-ts';
import { readConfig, type Plugin } from '../../storage/plugins.js';
import { hideWriteOnly } from '../config-schema/hide-write-only.js';
import type { ApiDeps } from '../deps.js';
import { found } from '../not-found.js';
import { hasScope, type Principal } from '../principal.js';
import type { listedPluginSchema, pluginSchema } from '../schemas/plugin.js';

/** A plugin as lists show it. */
export function viewListedPlugin(plugin: Plugin): FromSchema<typeof listedPluginSchema> {
  return {
    id: plugin.id,
    name: plugin.name,
    description: plugin.description,
    version: plugin.version,
    kind: plugin.kind,
    task_queue: plugin.task_queue,
    activity_type: plugin.activity_type,
    endpoint: plugin.endpoint,
    config_schema: plugin.config_schema,
    produces: [...plugin.produces],
    heartbeat_seconds: plugin.heartbeat_seconds,
    cleanup_activity_type: plugin.cleanup_activity_type,
    is_active: plugin.is_active,
    built_in: plugin.built_in,
    created_at: plugin.created_at.toISOString(),
    updated_at: plugin.updated_at.toISOString(),
    last_seen_at: plugin.last_seen_at?.toISOString() ?? null,
  };
}

/** A plugin with its config, as this principal may see it. Throws NOT_FOUND when it was deleted meanwhile. */
export async function showPlugin(
  deps: ApiDeps,
  plugin: Plugin,
  principal: Principal,
): Promise<FromSchema<typeof pluginSchema>> {
  const config = found(await readConfig(deps.db, deps.config.secrets, plugin.id), 'plugin', plugin.id);
  const visible = hasScope(principal, 'admin') ? config : hideWriteOnly(plugin.config_schema, config);
  return { ...viewListedPlugin(plugin), config: visible };
}
