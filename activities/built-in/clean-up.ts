import { Context } from '@temporalio/activity';
import type { CleanUpActivityMessage } from '../../core/wire/step.js';
import type { AttemptRef } from '../../core/wire/token.js';
import type { AnyPlugin, CleanupContext } from '../../plugins/sdk/index.js';
import { parseConfig } from '../../plugins/sdk/parse-config.js';
import type { Deps } from '../../runtime/deps.js';
import { readConfig } from '../../storage/plugins.js';
import { startHeartbeat } from '../attempt-errors.js';

type About = Pick<CleanupContext<never>, 'reason' | 'resource' | 'run' | 'artifacts' | 'signal'>;

/** The activity type of a built-in plugin's clean-up; null for a plugin that keeps nothing elsewhere. */
export function cleanUpActivityType(plugin: AnyPlugin): string | null {
  return plugin.cleanup === undefined ? null : `${plugin.id}.cleanup`;
}

/** Makes the activity in which a built-in plugin removes what it keeps elsewhere. */
export function createBuiltInCleanUp(
  plugin: AnyPlugin,
  deps: Deps,
): (message: CleanUpActivityMessage) => Promise<void> {
  return async function cleanUpBuiltIn({ reason, resource, run, artifacts }) {
    const context = Context.current();
    const stopHeartbeat = startHeartbeat(context);
    try {
      await cleanUp(plugin, deps, { reason, resource, run, artifacts, signal: context.cancellationSignal });
    } finally {
      stopHeartbeat();
    }
  };
}

/** After an attempt whose resource was deleted while it worked: what it wrote elsewhere came after the clean-up. */
export async function cleanUpAfter(plugin: AnyPlugin, deps: Deps, ref: AttemptRef): Promise<void> {
  await cleanUp(plugin, deps, {
    reason: 'RESOURCE_DELETED',
    resource: { id: ref.resourceId },
    run: ref.run,
    artifacts: [],
    signal: Context.current().cancellationSignal,
  });
}

async function cleanUp(plugin: AnyPlugin, deps: Deps, about: About): Promise<void> {
  const config = (await readConfig(deps.db, deps.config.secrets, plugin.id)) ?? {};
  await plugin.cleanup?.({
    ...about,
    config: parseConfig(plugin.configSchema, config) as never,
    fetch: deps.pluginFetch,
    log: deps.log.child({ resource_id: about.resource.id, plugin: plugin.id, clean_up: about.reason }),
  });
}
