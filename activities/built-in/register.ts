import { RawJson } from '../../core/json/raw-json.js';
import { coreTaskQueue } from '../../core/runs/run-protocol.js';
import type { AnyPlugin } from '@knowledge-warehouse/plugin';
import type { Deps } from '../../runtime/deps.js';
import {
  insertPlugin,
  updateRegistration,
  type PluginRegistration,
} from '../../storage/pipelines/plugins.js';
import { cleanUpActivityType } from './clean-up.js';

// A worker of Core's own heartbeats every second.
const heartbeatSeconds = 10;

/** Registers the built-in plugins, or updates their registrations. */
export async function registerBuiltIns(deps: Deps, plugins: readonly AnyPlugin[]): Promise<void> {
  for (const plugin of plugins) {
    const registration: PluginRegistration = {
      id: plugin.id,
      name: plugin.name,
      description: plugin.description ?? '',
      version: plugin.version,
      kind: 'activity',
      task_queue: coreTaskQueue,
      activity_type: plugin.id,
      endpoint: null,
      config_schema: RawJson.of(plugin.configSchema),
      produces: plugin.produces,
      reads: plugin.reads ?? null,
      heartbeat_seconds: heartbeatSeconds,
      cleanup_activity_type: cleanUpActivityType(plugin),
    };
    const config = plugin.defaultConfig ?? {};
    const inserted = await insertPlugin(deps.db, deps.config.secrets, registration, {
      config,
      signingSecret: null,
      builtIn: true,
    });
    if (inserted === null) await updateRegistration(deps.db, registration, { seen: true, builtIn: true });
  }
}
