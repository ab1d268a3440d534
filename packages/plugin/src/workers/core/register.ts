import type { AnyPlugin, PluginLog } from '../../types.js';
import type { CoreClient } from './core-client.js';
import { whileCoreIsAway } from './core-error.js';
import type { CoreAddress } from '../settings.js';

/** Where the steps of a plugin are sent. */
export type Routing =
  | {
      readonly kind: 'activity';
      readonly task_queue: string;
      readonly activity_type: string;
      readonly cleanup_activity_type: string | null;
    }
  | { readonly kind: 'http'; readonly endpoint: string };

/** Calls Core's API as this worker, with retries while Core is unavailable. */
export type CallCore = (method: 'PUT' | 'POST', path: string, json?: unknown) => Promise<unknown>;

export function createCallCore(
  client: CoreClient,
  { url, apiKey }: CoreAddress,
  signal: AbortSignal,
  log: PluginLog,
): CallCore {
  return async (method, path, json) => {
    const send = (): ReturnType<CoreClient['call']> =>
      client.call({ method, url: `${url}/api/v1${path}`, bearer: apiKey, json, signal });
    const { body } = await whileCoreIsAway(send, signal, (error) => {
      // These requests are made at the start, when somebody can still correct the URL.
      if (error.foreign) throw error;
      log.warn({ path }, `${error.message}; retrying`);
    });
    for (const warning of (body as { config_warnings?: readonly ConfigWarning[] } | null)?.config_warnings ??
      [])
      log.warn({ path }, `config${warning.path} ${warning.message}`);
    return body;
  };
}

interface ConfigWarning {
  readonly path: string;
  readonly message: string;
}

/**
 * Registers a plugin with Core. Resolves with the signing secret of a new HTTP plugin, otherwise undefined. Throws
 * CoreError if Core refuses it.
 */
export async function registerPlugin(
  call: CallCore,
  plugin: AnyPlugin,
  routing: Routing,
): Promise<string | undefined> {
  const answer = await call('PUT', `/plugins/${plugin.id}`, {
    name: plugin.name,
    description: plugin.description ?? '',
    version: plugin.version,
    config_schema: plugin.configSchema,
    config: plugin.defaultConfig ?? {},
    produces: plugin.produces,
    reads: plugin.reads ?? null,
    heartbeat_seconds: plugin.heartbeatSeconds ?? null,
    ...routing,
  });
  return (answer as { signing_secret?: string }).signing_secret;
}
