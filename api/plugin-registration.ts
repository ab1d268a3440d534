import { ServiceError, validationFailed } from '../core/errors.js';
import { deepestJson } from '../core/json-bounds.js';
import { coreTaskQueue } from '../core/run-protocol.js';
import { checkUrl } from '../runtime/outgoing/index.js';
import type { PluginRegistration } from '../storage/plugins.js';
import type { ApiDeps } from './deps.js';
import type { NewPlugin } from './schemas/plugin-requests.js';

const largestConfig = 256 * 1024;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Throws INVALID_PLUGIN unless a body holds a config that is an object. */
export function requireConfigObject(body: unknown): void {
  if (isObject(body) && Object.hasOwn(body, 'config') && isObject(body['config'])) return;
  throw new ServiceError('INVALID_PLUGIN', 'config must be a JSON object.', {
    errors: [{ path: '/config', message: 'must be a JSON object' }],
  });
}

/** Throws INVALID_PLUGIN when a body holds a config that is not an object; none is fine. */
export function refuseOtherConfig(body: unknown): void {
  if (isObject(body) && Object.hasOwn(body, 'config')) requireConfigObject(body);
}

/** Throws VALIDATION_FAILED when a free JSON value of a plugin is nested too deep or too large. */
export function checkSize(value: unknown, path: string): void {
  if (levelsOf(value) > deepestJson) {
    throw validationFailed({ path, message: `is nested deeper than ${deepestJson} levels` });
  }
  if (Buffer.byteLength(JSON.stringify(value)) > largestConfig) {
    throw validationFailed({ path, message: `is larger than ${largestConfig / 1024} KiB` });
  }
}

/** Objects and arrays in each other. What was read from a body is not much deeper than that. */
function levelsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let most = 0;
  for (const item of Object.values(value)) most = Math.max(most, levelsOf(item));
  return most + 1;
}

/** What a body declares of a plugin, with what was left out. Throws VALIDATION_FAILED and URL_NOT_ALLOWED. */
export function toRegistration(
  { config: { pluginHosts } }: ApiDeps,
  id: string,
  body: NewPlugin,
): PluginRegistration {
  checkSize(body.config ?? {}, '/config');
  checkSize(body.config_schema ?? null, '/config_schema');
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
    config_schema: body.config_schema ?? null,
    produces: body.produces ?? [],
    heartbeat_seconds: body.heartbeat_seconds ?? null,
    cleanup_activity_type: body.cleanup_activity_type ?? null,
  };
}

/** Throws VALIDATION_FAILED for a plugin that is new on the task queue of Core's own activities. */
export function refuseCoreQueue(registration: PluginRegistration): void {
  if (registration.task_queue !== coreTaskQueue) return;
  throw validationFailed({ path: '/task_queue', message: `${coreTaskQueue} is reserved for Core` });
}
