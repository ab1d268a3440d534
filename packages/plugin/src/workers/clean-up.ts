import type { CleanUpMessage } from '../protocol/step.js';
import { parseConfig } from '../parse-config.js';
import type { AnyPlugin, PluginLog } from '../types.js';
import { withFields } from './log.js';

/**
 * Makes a plugin remove what it stores elsewhere. Throws what the plugin throws. Returns false if it has no clean-up.
 */
export async function callCleanup(
  plugin: AnyPlugin,
  { reason, resource, run, artifacts }: Pick<CleanUpMessage, 'reason' | 'resource' | 'run' | 'artifacts'>,
  host: {
    readonly config: Record<string, unknown>;
    readonly signal: AbortSignal;
    readonly log: PluginLog;
  },
): Promise<boolean> {
  if (plugin.cleanup === undefined) return false;
  // A plugin that only listens to the signal would never end.
  host.signal.throwIfAborted();
  await plugin.cleanup({
    reason,
    resource: { id: resource.id },
    run,
    artifacts,
    config: parseConfig(plugin.configSchema, host.config) as never,
    signal: host.signal,
    fetch,
    log: withFields(host.log, { resource_id: resource.id, plugin: plugin.id }),
  });
  return true;
}
