import { validationFailed } from '../../core/errors.js';
import { RawJson } from '../../core/json/raw-json.js';
import { isCoreQueue } from '../../core/runs/run-protocol.js';
import { checkUrl } from '../../runtime/outgoing/index.js';
import type { PluginRegistration } from '../../storage/pipelines/plugins.js';
import type { ApiDeps } from '../deps.js';
import type { CondensedPlugin } from '../json-thread/body-forms.js';
import type { NewPlugin } from '../schemas/plugin-requests.js';

/** A registration with arbitrary JSON values as texts. */
export type ReadPlugin = CondensedPlugin<NewPlugin>;

/** Returns a plugin's declaration with defaults for omitted fields. Throws URL_NOT_ALLOWED. */
export function toRegistration(
  { config: { pluginHosts } }: ApiDeps,
  id: string,
  body: ReadPlugin,
): PluginRegistration {
  const endpoint = body.endpoint ?? null;
  if (endpoint !== null) checkUrl(endpoint, { allow: pluginHosts }, '/endpoint');
  return {
    id,
    name: body.name,
    description: body.description ?? '',
    version: body.version ?? '',
    kind: body.kind,
    task_queue: body.task_queue ?? null,
    activity_type: body.activity_type ?? null,
    endpoint,
    config_schema: typeof body.config_schema === 'string' ? new RawJson(body.config_schema) : null,
    produces: body.produces ?? [],
    reads: body.reads ?? null,
    heartbeat_seconds: body.heartbeat_seconds ?? null,
    cleanup_activity_type: body.cleanup_activity_type ?? null,
  };
}

/** Throws VALIDATION_FAILED for a new plugin on one of Core's own task queues. */
export function refuseCoreQueue(registration: PluginRegistration): void {
  const { task_queue: queue } = registration;
  if (isCoreQueue(queue))
    throw validationFailed({ path: '/task_queue', message: `${queue} is reserved for Core` });
}
