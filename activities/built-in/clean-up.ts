import { isDeepStrictEqual } from 'node:util';
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { messageOf } from '../../core/errors.js';
import type { CleanUpActivityMessage } from '@knowledge-warehouse/plugin/protocol';
import type { AnyPlugin, CleanupContext } from '@knowledge-warehouse/plugin';
import { parseConfig } from '@knowledge-warehouse/plugin/host';
import type { Deps } from '../../runtime/deps.js';
import { listCleanUpsOf, type CleanUp } from '../../storage/clean-ups.js';
import { readConfig } from '../../storage/pipelines/plugins.js';
import { refused } from '../activity-errors.js';
import { assertOwnCleanUp } from '../clean-up.js';
import { startHeartbeat } from '../attempt-errors.js';

/** The activity type of a built-in plugin's clean-up; null if the plugin stores nothing elsewhere. */
export function cleanUpActivityType(plugin: AnyPlugin): string | null {
  return plugin.cleanup === undefined ? null : `${plugin.id}.cleanup`;
}

/** Creates the activity in which a built-in plugin removes its external data. */
export function createBuiltInCleanUp(
  plugin: AnyPlugin,
  deps: Deps,
): (message: CleanUpActivityMessage) => Promise<void> {
  return async function cleanUpBuiltIn(message) {
    const { reason, up_to_run: run, artifacts, ...cleanUp } = await findListed(deps, plugin.id, message);
    const resource = { id: cleanUp.resource_id };
    const context = Context.current();
    const stopHeartbeat = startHeartbeat(context);
    try {
      const config = (await readConfig(deps.db, deps.config.secrets, plugin.id)) ?? {};
      await callCleanup(plugin, {
        reason,
        resource,
        run,
        artifacts,
        config: parseConfig(plugin.configSchema, config) as never,
        signal: context.cancellationSignal,
        fetch: deps.pluginFetch,
        log: deps.log.child({ resource_id: resource.id, plugin: plugin.id, clean_up: reason }),
      });
    } finally {
      stopHeartbeat();
    }
  };
}

/** The clean-up that a message refers to, read from the tables: a plugin removes only what they list. */
async function findListed(
  { db }: Deps,
  pluginId: string,
  message: Omit<CleanUpActivityMessage, 'plugin'>,
): Promise<CleanUp> {
  const listed = (await listCleanUpsOf(db, message.resource.id, pluginId)).find(
    (each) =>
      each.reason === message.reason &&
      each.up_to_run === message.run &&
      isDeepStrictEqual(each.artifacts, message.artifacts),
  );
  if (listed === undefined) throw refused('this clean-up is not due.');
  assertOwnCleanUp(listed);
  return listed;
}

/**
 * The plugin's errors are for operators, so their messages are passed on unchanged. A connection that the plugin
 * lost is not one of ours.
 */
async function callCleanup(plugin: AnyPlugin, context: CleanupContext<never>): Promise<void> {
  try {
    // A plugin that only listens to the signal would never end.
    context.signal.throwIfAborted();
    await plugin.cleanup?.(context);
  } catch (error) {
    if (context.signal.aborted) throw error;
    throw ApplicationFailure.create({ type: 'CLEAN_UP_FAILED', message: messageOf(error) });
  }
}
