import { parseJson } from '../../protocol/text.js';
import { isObject } from '../../protocol/write-only-places.js';
import type { Reply } from '../attempt.js';
import type { ControlRequest } from '../fake-core.js';
import { refuse } from '../replies.js';

/** Where a worker receives its steps. */
export interface Routing {
  readonly pluginId: string;
  readonly taskQueue: string;
  readonly activityType: string;
  readonly heartbeatSeconds: number | null;
  readonly cleanUpType: string | null;
}

/** The claim of an attempt, as the worker sent it. */
export interface Claim {
  readonly resource_id?: unknown;
  readonly run?: unknown;
  readonly step_index?: unknown;
  readonly attempt?: unknown;
}

export interface ControlOptions {
  readonly config: Readonly<Record<string, unknown>>;
  /** Answers a claim; undefined if there is no such step. */
  claim(claim: Claim): Reply | undefined;
  registered(routing: Routing): void;
}

const paths = {
  claim: /^\/api\/v1\/internal\/attempts$/,
  plugin: /^\/api\/v1\/plugins\/([^/]+)$/,
  config: /^\/api\/v1\/internal\/plugins\/([^/]+)\/config$/,
};

/** Answers requests that activity workers send with their key: they register, claim attempts, and read their config. */
export function createControlHandler(
  options: ControlOptions,
): (request: ControlRequest) => Reply | undefined {
  return ({ method, path, bearer, body }) => {
    const is = (wanted: string, pattern: RegExp): RegExpExecArray | null =>
      method === wanted ? pattern.exec(path) : null;
    const claim = is('POST', paths.claim);
    const plugin = is('PUT', paths.plugin);
    const config = is('GET', paths.config);
    if ((claim ?? plugin ?? config) === null) return undefined;
    if (bearer === undefined) return refuse(401, 'UNAUTHENTICATED', 'This request needs an API key.');
    if (config !== null) return { status: 200, body: { config: options.config } };
    const json = parseJson(body);
    if (!isObject(json)) return refuse(400, 'MALFORMED_BODY', 'The body is not a JSON object.');
    if (plugin !== null) return register(options, plugin[1] ?? '', json);
    return options.claim(json) ?? refuse(404, 'NOT_FOUND', 'Step or run not found.');
  };
}

function register(options: ControlOptions, pluginId: string, body: Readonly<Record<string, unknown>>): Reply {
  const { task_queue: taskQueue, activity_type: activityType, cleanup_activity_type: cleanUpType } = body;
  const { heartbeat_seconds: heartbeat } = body;
  if (typeof taskQueue !== 'string' || typeof activityType !== 'string')
    return refuse(400, 'VALIDATION_FAILED', 'An activity plugin names its task_queue and its activity_type.');
  options.registered({
    pluginId,
    taskQueue,
    activityType,
    heartbeatSeconds: typeof heartbeat === 'number' ? heartbeat : null,
    cleanUpType: typeof cleanUpType === 'string' ? cleanUpType : null,
  });
  return { status: 200, body: { ...body, id: pluginId, config: options.config, config_warnings: [] } };
}
