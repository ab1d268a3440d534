import { clip } from '@knowledge-warehouse/plugin/protocol';
import type { Context } from 'koa';
import { ServiceError, validationFailed } from '../../core/errors.js';
import { findingsOf } from '../../runtime/content/json-schema.js';
import type { ApiDeps } from '../deps.js';
import { assertNotCompressed, readJsonBytes } from './json-body.js';
import { refusalOf, type ReadBody } from '../json-thread/read-body.js';
import { readQuery } from './query.js';
import { newUploadKey } from '../registration/register-resource.js';
import type { Route } from '../route.js';
import type { ParamSchema } from '../schemas/param.js';
import { receiveUpload, type ReceivedUpload } from '../uploads/receive-upload.js';

/** The input that the handler reads from a request. */
export interface CheckedInput {
  readonly query: unknown;
  readonly body: unknown;
  readonly upload: ReceivedUpload | null;
}

const defaultBodyLimit = 1024 * 1024;

/**
 * Reads and checks a request in this order: UUIDs in the path, the body's media type, size and form, the query, the
 * body's content, other parameters of the path. Removes an uploaded file if the request is rejected.
 */
export async function readInput(ctx: Context, deps: ApiDeps, route: Route): Promise<CheckedInput> {
  const params = ctx['params'] as Record<string, string>;
  checkParams(route, params, ({ format }) => format === 'uuid');
  const { read, upload } = await receive(ctx, deps, route);
  try {
    const query = route.atRoot === true ? undefined : readQuery(route.query, ctx.querystring);
    if ('refusal' in read) throw read.refusal;
    checkParams(route, params, ({ format }) => format !== 'uuid');
    return { query, body: read.body, upload };
  } catch (error) {
    await upload?.discard();
    throw error;
  }
}

interface Received {
  readonly read: ReadBody;
  readonly upload: ReceivedUpload | null;
}

async function receive(ctx: Context, deps: ApiDeps, route: Route): Promise<Received> {
  const { operationId, body: schema, bodyForm: form = 'plain', bodyOptional: optional = false } = route;
  if (route.multipart !== undefined && ctx.is('multipart/form-data') === 'multipart/form-data') {
    assertNotCompressed(ctx.req);
    const upload = await receiveFile(ctx, deps);
    try {
      const body = route.multipart.toBody(upload.fields);
      const refusal = schema === undefined ? null : refusalOf({ operationId, schema }, body);
      return { read: refusal === null ? { body } : { refusal }, upload };
    } catch (error) {
      await upload.discard();
      throw error;
    }
  }
  if (schema === undefined) return { read: { body: undefined }, upload: null };
  const bytes = await readJsonBytes(ctx, {
    limit: route.bodyLimit ?? defaultBodyLimit,
    takesFiles: route.multipart !== undefined,
  });
  const spec = { operationId, schema, form, optional };
  return { read: await deps.jsonThread.run('readBody', bytes?.length ?? 0, bytes, spec), upload: null };
}

async function receiveFile(ctx: Context, deps: ApiDeps): Promise<ReceivedUpload> {
  return await receiveUpload(ctx, {
    objectStore: deps.objectStore,
    maxUploadBytes: deps.config.maxUploadBytes,
    keyFor: newUploadKey,
    onLeftover: (key, err) => deps.log.warn({ err, key }, 'a refused file was not removed'),
  });
}

/** Throws NOT_FOUND for an id of an impossible form, as for any other unknown id. */
function checkParams(
  route: Route,
  params: Readonly<Record<string, string>>,
  isDue: (schema: ParamSchema) => boolean,
): void {
  for (const [name, schema] of Object.entries(route.params ?? {})) {
    if (!isDue(schema)) continue;
    const value = params[name] ?? '';
    const [finding] = findingsOf(schema, value);
    if (finding !== undefined && route.choosesId === true)
      throw validationFailed({ ...finding, path: `/${name}` });
    if (finding !== undefined) {
      throw new ServiceError('NOT_FOUND', `There is no ${schema.title} ${clip(value, 100)}.`);
    }
  }
}
