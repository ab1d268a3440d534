import { Readable } from 'node:stream';
import Router from '@koa/router';
import { clip } from '@knowledge-warehouse/plugin/protocol';
import type { Context, Middleware } from 'koa';
import { ServiceError, validationFailed, type ValidationFinding } from '../core/errors.js';
import { isUuid } from '../core/ids.js';
import type { ApiDeps } from './deps.js';
import { createChanges } from './request/changes.js';
import { carryOutOnce } from './request/idempotency.js';
import { authenticate } from './middleware/authenticate.js';
import type { ApiState } from './middleware/request-id.js';
import { isNotModified, readIfMatch } from './request/preconditions.js';
import { readInput, type CheckedInput } from './request/read-input.js';
import { renderReply } from './reply/render-reply.js';
import { fullPath, type Reply, type Route } from './route.js';
import { noteCut } from './server/cut-connections.js';

/** Finds the route of a request and carries it out. Throws NOT_FOUND or METHOD_NOT_ALLOWED if there is none. */
export function dispatch(deps: ApiDeps, routes: readonly Route[]): Middleware<ApiState> {
  const router = new Router<ApiState>({ sensitive: true });
  for (const route of routes) {
    const path = fullPath(route);
    router.register(path, [route.method], async (ctx) => {
      if (!nearestLayers(ctx).some((layer) => layer.path === path)) {
        refuse(ctx);
        return;
      }
      ctx.state.route = path;
      if (route.errorBody !== undefined) ctx.state.errorBody = route.errorBody;
      deps.logFields.add({ resource_id: resourceIn(ctx) });
      const reply = await carryOut(ctx, deps, route).catch((error: unknown) => {
        if (route.scope === 'token') logRefusal(deps, error);
        throw error;
      });
      await send(ctx, reply);
    });
  }
  const find = router.routes() as Middleware<ApiState>;
  return async (ctx) => {
    await find(ctx, () => {
      refuse(ctx);
      return Promise.resolve();
    });
  };
}

async function carryOut(ctx: Context, deps: ApiDeps, route: Route): Promise<Reply> {
  if (route.scope !== 'open') await deps.secretGuard.ensure();
  const principal = await authenticate(ctx, deps, route);
  const caller = { params: ctx['params'] as Record<string, string>, principal, koa: ctx, deps };
  const admitted = await route.admit?.(caller);
  const ifMatch = readIfMatch(ctx);
  const read = (): Promise<CheckedInput> => readInput(ctx, deps, route);
  const changes = createChanges({ ...caller, route });
  const { change } = changes;
  const reply = await carryOutOnce({ ...caller, route }, changes, read, async (input, transact) => {
    try {
      const made = await route.handler({ ...caller, ...input, admitted, ifMatch, transact, change });
      changes.assertRecorded(made);
      return made;
    } catch (error) {
      // The request had no effect. After other failures only the handler knows whether the file is needed.
      if (error instanceof ServiceError && error.status < 500) await input.upload?.discard();
      throw error;
    }
  });
  deps.outbox.sendSoon(reply.message ?? null);
  return reply;
}

/** The maximum length of a logged reason. */
const longestReason = 500;

/**
 * Logs why a worker's request is refused: a worker that does not say so itself only seems to fall silent. A worker is not
 * at fault if its attempt is over. Requests without a valid token are not logged here, because anyone can send them.
 */
function logRefusal({ log }: ApiDeps, error: unknown): void {
  if (!(error instanceof ServiceError) || error.status >= 500 || error.code === 'UNAUTHENTICATED') return;
  const { code, status } = error;
  const isOver = code === 'ATTEMPT_CLOSED' || code === 'NOT_FOUND';
  log[isOver ? 'info' : 'warn'](
    { code, status, reason: clip(reasonWithoutContent(error), longestReason) },
    'a request of a worker was refused',
  );
}

/**
 * Returns why a request is refused, without the parts of its body that the message quotes: the text around an error of
 * `JSON.parse`, unknown keys, and keys within arbitrary JSON.
 */
function reasonWithoutContent({ code, message, details }: ServiceError): string {
  if (code === 'MALFORMED_BODY') return message.replace(/^(The body is not valid JSON):.*$/s, '$1.');
  const [finding] = (details['errors'] ?? []) as readonly ValidationFinding[];
  if (code !== 'VALIDATION_FAILED' || finding === undefined) return message;
  const path = finding.path.replace(/\/(content|metadata|details)\/.*$/s, '/$1');
  if (finding.message !== 'is unknown') return validationFailed({ ...finding, path }).message;
  const parent = path.slice(0, path.lastIndexOf('/'));
  return `${parent === '' ? 'The request' : `${parent}:`} has an unknown key`;
}

async function send(ctx: Context, reply: Reply): Promise<void> {
  const notModified = reply.status === 200 && isNotModified(ctx, reply.headers?.['ETag']);
  const status = notModified ? 304 : reply.status;
  ctx.status = status;
  if (reply.body === undefined || notModified) {
    ctx.body = null;
    ctx.status = status;
  } else {
    const isJson = reply.type === undefined;
    // `ctx.type` would add `charset=utf-8` to every text, also to one in another encoding.
    ctx.set('Content-Type', reply.type ?? 'application/json; charset=utf-8');
    ctx.body = typeof reply.body === 'object' && isJson ? await renderReply(reply.body) : reply.body;
  }
  ctx.set({ ...reply.headers });
  if (ctx.body instanceof Readable) noteFailure(ctx, ctx.body);
}

/** Records that a response breaks off because we fail, not because its client disconnects. */
function noteFailure(ctx: Context, body: Readable): void {
  body.once('error', (error) => {
    if (error instanceof ServiceError) noteCut(ctx.req.socket, error.status);
  });
}

/** Returns the id of the resource in a path, if there is one. */
function resourceIn(ctx: Context): string | undefined {
  const { id, resource_id } = ctx['params'] as { readonly id?: string; readonly resource_id?: string };
  const ofResource = /^\/api\/v1\/(internal\/)?resources\//.test(ctx.path);
  return resource_id ?? (ofResource && isUuid(id ?? '') ? id : undefined);
}

interface Layer {
  readonly path: string;
  readonly methods: readonly string[];
}

/** Returns the matching routes with the fewest parameters: `reprocess` is not a resource's id. */
function nearestLayers(ctx: Context): readonly Layer[] {
  const layers = (ctx['matched'] ?? []) as readonly Layer[];
  const parameters = ({ path }: Layer): number => path.split('/:').length;
  const fewest = Math.min(...layers.map(parameters));
  return layers.filter((layer) => parameters(layer) === fewest);
}

/** Answers OPTIONS; throws NOT_FOUND for an unknown path and METHOD_NOT_ALLOWED for other methods. */
function refuse(ctx: Context): void {
  const methods = new Set(nearestLayers(ctx).flatMap((layer) => layer.methods));
  if (methods.size === 0) throw new ServiceError('NOT_FOUND', 'There is nothing at this path.');
  const allowed = [...methods, 'OPTIONS'];
  ctx.set('Allow', allowed.join(', '));
  if (ctx.method !== 'OPTIONS') {
    throw new ServiceError('METHOD_NOT_ALLOWED', `This path accepts ${allowed.join(', ')}.`, { allowed });
  }
  ctx.status = 204;
}
