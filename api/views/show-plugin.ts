import { RawJson } from '../../core/json/raw-json.js';
import type { Db } from '../../storage/database/connection.js';
import { findWholePlugin, type Plugin, type WholePlugin } from '../../storage/pipelines/plugins.js';
import type { ApiDeps } from '../deps.js';
import { found } from '../lookups/found.js';
import { hasScope, type Principal } from '../auth/principal.js';
import { pluginTag } from '../reply/entity-tags.js';
import { viewListedPlugin } from './plugin.js';

interface ShownPlugin {
  readonly body: ReturnType<typeof viewListedPlugin> & { readonly config: RawJson };
  readonly headers: { readonly ETag: string };
}

/** Reads a plugin with its config. Throws NOT_FOUND. */
export async function readWhole(deps: ApiDeps, db: Db, id: string): Promise<WholePlugin> {
  return found(await findWholePlugin(db, deps.config.secrets, id), 'plugin', id);
}

/** Returns a plugin as this principal may see it. May be slow: do not call it in a transaction. */
export async function showPlugin(
  deps: ApiDeps,
  { plugin, config }: WholePlugin,
  principal: Principal,
): Promise<ShownPlugin> {
  const visible = hasScope(principal, 'admin') ? config : await hideSecrets(deps, plugin, config);
  return {
    body: { ...viewListedPlugin(plugin), config: visible },
    headers: { ETag: pluginTag(deps, plugin, config) },
  };
}

async function hideSecrets(
  deps: ApiDeps,
  { config_schema: schema }: Plugin,
  config: RawJson,
): Promise<RawJson> {
  if (schema === null) return config;
  const size = schema.text.length + config.text.length;
  return new RawJson(await deps.jsonThread.run('hideWriteOnly', size, schema.text, config.text));
}
