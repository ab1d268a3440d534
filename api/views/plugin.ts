import type { FromSchema } from 'json-schema-to-ts';
import type { Deliveries } from '../../storage/pipelines/deliveries.js';
import { shownRaw } from './shown-raw.js';
import type { Plugin } from '../../storage/pipelines/plugins.js';
import type { listedPluginSchema } from '../schemas/plugin.js';

type ListedPluginView = FromSchema<typeof listedPluginSchema>;

/** Returns the statistics of deliveries to an HTTP plugin; null if there are none. */
export function viewDeliveries(deliveries: Deliveries | undefined): ListedPluginView['deliveries'] {
  if (deliveries === undefined) return null;
  const { succeeded, failed, last_success_at, last_failure } = deliveries;
  const all = succeeded + failed;
  return {
    succeeded,
    failed,
    success_rate: all === 0 ? null : Math.round((succeeded / all) * 1000) / 1000,
    last_success_at: last_success_at?.toISOString() ?? null,
    last_failure: last_failure && { ...last_failure, at: last_failure.at.toISOString() },
  };
}

/** Converts a plugin for lists, without its config and health. */
export function viewListedPlugin(plugin: Plugin): Omit<ListedPluginView, 'deliveries'> {
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
    reads: plugin.reads === null ? null : [...plugin.reads],
    heartbeat_seconds: plugin.heartbeat_seconds,
    cleanup_activity_type: plugin.cleanup_activity_type,
    is_active: plugin.is_active,
    built_in: plugin.built_in,
    created_at: plugin.created_at.toISOString(),
    updated_at: plugin.updated_at.toISOString(),
    last_seen_at: plugin.last_seen_at?.toISOString() ?? null,
  };
}
