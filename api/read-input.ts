import type { Context } from 'koa';
import { ServiceError, validationFailed } from '../core/errors.js';
import { findInfinite } from '../core/json-bounds.js';
import { findingsOf } from '../runtime/validation.js';
import type { ApiDeps } from './deps.js';
import { assertNotCompressed, readJson } from './json-body.js';
import { readQuery } from './query.js';
import type { Route } from './route.js';
import { receiveUpload, type ReceivedUpload, type UploadState } from './uploads/receive-upload.js';

/** What the handler reads of a request. */
export interface CheckedInput {
  readonly query: unknown;
  readonly body: unknown;
  readonly upload: ReceivedUpload | null;
}

const defaultBodyLimit = 1024 * 1024;

/**
 * Reads and checks what a request brings, in this order: its body's media type, size and form, the query, the body's
 * content, the path's parameters. A file that came is removed when the request is refused.
 */
export async function readInput(ctx: Context, deps: ApiDeps, route: Route): Promise<CheckedInput> {
  const { body, upload } = await receive(ctx, deps, route);
  try {
    route.precheck?.(body);
    const query = route.atRoot === true ? undefined : readQuery(route.query, ctx.querystring);
    if (route.body !== undefined) checkBody(route.body, body);
    checkParams(route, ctx['params'] as Record<string, string>);
    return { query, body, upload };
  } catch (error) {
    await upload?.discard();
    throw error;
  }
}

async function receive(ctx: Context, deps: ApiDeps, route: Route): Promise<Omit<CheckedInput, 'query'>> {
  if (route.multipart !== undefined && ctx.is('multipart/form-data') === 'multipart/form-data') {
    assertNotCompressed(ctx);
    const upload = await receiveFile(ctx, deps, route.multipart.keyFor);
    try {
      return { body: route.multipart.toBody(upload.fields), upload };
    } catch (error) {
      await upload.discard();
      throw error;
    }
  }
  if (route.body === undefined) return { body: undefined, upload: null };
  const body = await readJson(ctx, route.bodyLimit ?? defaultBodyLimit);
  return { body: body === undefined && route.bodyOptional === true ? {} : body, upload: null };
}

async function receiveFile(ctx: Context, deps: ApiDeps, keyFor: () => string): Promise<ReceivedUpload> {
  const receiver = receiveUpload({
    objectStore: deps.objectStore,
    maxUploadBytes: deps.config.maxUploadBytes,
    keyFor,
    onLeftover: (key, err) => deps.log.warn({ err, key }, 'a refused file is left over'),
  });
  await receiver(ctx, () => Promise.resolve());
  return (ctx.state as UploadState).upload;
}

function checkBody(schema: object, body: unknown): void {
  if (body === undefined) throw new ServiceError('MALFORMED_BODY', 'The body is empty; JSON is expected.');
  const infinite = findInfinite(body);
  const findings = infinite.length > 0 ? infinite : findingsOf(schema, body);
  if (findings.length > 0) throw validationFailed(...findings);
}

/** An id of a form that no id has is not found, like any other that is not there. */
function checkParams(route: Route, params: Readonly<Record<string, string>>): void {
  for (const [name, schema] of Object.entries(route.params ?? {})) {
    const value = params[name] ?? '';
    const [finding] = findingsOf(schema, value);
    if (finding !== undefined && route.choosesId === true)
      throw validationFailed({ ...finding, path: `/${name}` });
    if (finding !== undefined) {
      throw new ServiceError('NOT_FOUND', `There is no ${schema.title} ${value.slice(0, 100)}.`);
    }
  }
}
