import type { FromSchema } from 'json-schema-to-ts';
import { shownRaw } from './shown-raw.js';
import type { Plugin } from '../../storage/plugins.js';
import type { listedPluginSchema } from '../schemas/plugin.js';

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
    config_schema: shownRaw(plugin.config_schema),
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
