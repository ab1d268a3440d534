import type { ErrorCode } from '../../core/errors.js';
import { documentsId, textId } from '../examples/ids.js';
import type { Route } from '../route.js';

interface ErrorExample {
  readonly message: string;
  readonly details?: object;
}

/** An example of each error code. If its text depends on the route, a function creates it. */
const examples: Readonly<Record<ErrorCode, ErrorExample | ((route: Route) => ErrorExample)>> = {
  VALIDATION_FAILED: (route) => finding(...likelyMistake(route)),
  MALFORMED_BODY: { message: 'The body is empty; JSON is expected.' },
  INVALID_PLUGIN: {
    message: 'config must be a JSON object.',
    details: { errors: [{ path: '/config', message: 'must be a JSON object' }] },
  },
  UNKNOWN_PLUGIN: {
    message: 'The plugin orc is not registered.',
    details: { errors: [{ path: '/steps/0/plugin_id', message: 'is not a registered plugin: orc' }] },
  },
  URL_NOT_ALLOWED: { message: 'The host 127.0.0.1 is not on the public internet and is not allowed.' },
  UNAUTHENTICATED: ({ scope }) => ({
    message:
      scope === 'token'
        ? 'This request needs a valid callback token.'
        : 'This request needs an API key: Authorization: Bearer kw_…',
  }),
  FORBIDDEN: ({ scope }) =>
    scope === 'token'
      ? { message: 'This token is bound to another resource.' }
      : {
          message: `This API key does not allow this: it needs the scope ${scope}.`,
          details: { required_scope: scope },
        },
  NOT_FOUND: ({ params, scope }) => {
    const [param] = Object.values(params ?? {}).slice(-1);
    return {
      message:
        scope === 'token' || param === undefined
          ? 'The resource was deleted.'
          : `There is no ${param.title} ${param.examples[0]}.`,
    };
  },
  METHOD_NOT_ALLOWED: ({ method }) => ({
    message: `This path accepts ${method}, OPTIONS.`,
    details: { allowed: [method, 'OPTIONS'] },
  }),
  NOT_ACCEPTABLE: {
    message: 'This artifact is available as application/json, text/plain and application/octet-stream.',
    details: { available: ['application/json', 'text/plain', 'application/octet-stream'] },
  },
  RESOURCE_PROCESSING: { message: 'This resource is being processed; cancel it or wait.' },
  RESOURCE_NOT_PROCESSING: { message: 'This resource is not being processed.' },
  STEP_NOT_RESUMABLE: { message: 'Every step of the last run completed; none failed.' },
  NO_MATCHING_PIPELINE: {
    message: 'No pipeline has the trigger type document.',
    details: { type: 'document' },
  },
  TRIGGER_TYPE_TAKEN: {
    message: 'The trigger type document already has a pipeline.',
    details: { trigger_type: 'document' },
  },
  PLUGIN_IN_USE: {
    message: 'The plugin ocr is used by a pipeline or by a resource being processed.',
    details: { pipelines: [{ id: documentsId, name: 'Documents' }], resources: [] },
  },
  PLUGIN_EXISTS: { message: 'The plugin ocr already exists.', details: { id: 'ocr' } },
  LAST_ADMIN_KEY: {
    message: 'This is the last valid key with the scope admin: create another one first.',
  },
  ATTEMPT_CLOSED: { message: 'This attempt is closed: TIMED_OUT.', details: { reason: 'TIMED_OUT' } },
  NO_EMBEDDER: {
    message:
      'The plugin embed is inactive or its config lacks base_url or model. Correct that, or search with mode=text.',
  },
  NO_VECTORS: {
    message:
      'No chunk in the index has a vector of the model bge-m3. Reprocess resources with the plugin embed.',
    details: { model: 'bge-m3' },
  },
  IDEMPOTENCY_IN_PROGRESS: { message: 'The first request with this Idempotency-Key is still in progress.' },
  PRECONDITION_FAILED: ({ method }) =>
    method === 'POST'
      ? { message: '5 resources match now, not 3. Nothing was changed.', details: { matched: 5 } }
      : { message: 'If-Match does not match the current ETag: read the object again before you retry.' },
  PAYLOAD_TOO_LARGE: ({ bodyLimit = 1_048_576 }) => ({
    message: `The body has more than ${bodyLimit} bytes.`,
    details: { limit_bytes: bodyLimit },
  }),
  UNSUPPORTED_MEDIA_TYPE: { message: 'Send the body as application/json.' },
  RANGE_NOT_SATISFIABLE: {
    message: 'The range is outside the content of 151142 bytes.',
    details: { size: 151_142 },
  },
  IDEMPOTENCY_MISMATCH: {
    message: 'This Idempotency-Key was used for another request; use a new key for a new request.',
  },
  RATE_LIMITED: {
    message: 'This API key allows 6000 requests per minute.',
    details: { limit: 6000, window_seconds: 60, retry_after_seconds: 12 },
  },
  INTERNAL: { message: 'Something went wrong on our side.' },
  ARTIFACT_UNREADABLE: {
    message: `The stored content of the artifact text (${textId}) is damaged. Reprocess the resource to make it again.`,
    details: { artifact_id: textId, reason: 'damaged' },
  },
  SOURCE_UNREADABLE: {
    message: 'The stored source of the resource is missing. Upload the file again as a new resource.',
    details: { reason: 'missing' },
  },
  DATABASE_UNAVAILABLE: { message: 'The database cannot be reached.' },
  STORAGE_UNAVAILABLE: { message: 'The object store cannot be used at the moment.' },
  SHUTTING_DOWN: { message: 'This process is stopping: send requests to another one.' },
  TEMPORAL_UNAVAILABLE: { message: 'Temporal cannot be reached.' },
  SEARCH_UNAVAILABLE: {
    message: 'The search index is missing or damaged. Run "kw search rebuild" to build a new one.',
  },
};

/** Returns the example error body for a route and an error code. */
export function errorExample(route: Route, code: ErrorCode): object {
  const entry = examples[code];
  const { message, details = {} } = typeof entry === 'function' ? entry(route) : entry;
  return { error: { code, message, details } };
}

interface Listing {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}

/** Returns the most likely mistake in a request: a missing field, or a parameter that is out of range or unknown. */
function likelyMistake({ body, query }: Route): readonly [path: string, message: string] {
  const [missing] = [body, query].flatMap((schema) => ((schema ?? {}) as Listing).required ?? []);
  if (missing !== undefined) return [`/${missing}`, 'is missing'];
  const { properties = {} } = (query ?? {}) as Listing;
  return 'limit' in properties ? ['/limit', 'must be <= 200'] : ['/verbose', 'is unknown'];
}

function finding(path: string, message: string): ErrorExample {
  return { message: `${path}: ${message}`, details: { errors: [{ path, message }] } };
}
