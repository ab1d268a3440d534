import type { Context, Middleware } from 'koa';
import { ServiceError } from '../../core/errors.js';
import { readWebFolder, type WebBytes, type WebFile } from '../pages/web-folder.js';
import { createWebPage, type WebPage } from '../pages/web-page.js';
import { isForPrograms, viewAt } from '../pages/web-paths.js';
import { isNotModified } from '../request/preconditions.js';
import type { ApiState } from './request-id.js';

const absent = `Knowledge Warehouse

The web page is not part of this installation; "npm run build" makes it.
The REST API is described at /docs and in /api/v1/openapi.json.
`;

/**
 * Serves the web page: its views, its files, and its "not found" view to browsers for unknown paths.
 *
 * @param folder The output of the web build. Null or a folder without a page: the root explains that there is no page.
 * @param basePath The path of the public URL, which browsers put before the paths here.
 */
export function serveWeb(folder: string | null, basePath = ''): Middleware<ApiState> {
  const web = folder === null ? null : readWebFolder(folder);
  if (web === null) return sayAbsent;
  const page = createWebPage(web.index, basePath);
  return async (ctx, next) => {
    const view = viewAt(ctx.path);
    const file = web.files.get(ctx.path);
    if (view !== null) {
      ctx.state.route = view;
      if (isRead(ctx)) sendView(ctx, page);
    } else if (file !== undefined) {
      ctx.state.route = ctx.path.startsWith('/assets/') ? '/assets/:name' : ctx.path;
      if (isRead(ctx)) sendFile(ctx, file);
    } else {
      await next().catch((error: unknown) => sendNotFound(ctx, page, error));
    }
  };
}

async function sayAbsent(ctx: Context, next: () => Promise<unknown>): Promise<void> {
  if (ctx.path !== '/') await next();
  else if (isRead(ctx)) {
    ctx.type = 'text/plain';
    ctx.body = absent;
  }
}

/** Whether a request reads. Answers OPTIONS requests, and throws METHOD_NOT_ALLOWED for other methods. */
function isRead(ctx: Context): boolean {
  if (ctx.method === 'GET' || ctx.method === 'HEAD') return true;
  const allowed = ['HEAD', 'GET', 'OPTIONS'];
  ctx.set('Allow', allowed.join(', '));
  if (ctx.method !== 'OPTIONS') {
    throw new ServiceError('METHOD_NOT_ALLOWED', `This path accepts ${allowed.join(', ')}.`, { allowed });
  }
  ctx.status = 204;
  return false;
}

function sendView(ctx: Context, page: WebPage): void {
  // Only this browser may cache it: two users must not share a nonce.
  ctx.set({ ETag: page.etag, 'Cache-Control': 'private, no-cache' });
  if (isNotModified(ctx, page.etag)) {
    // Headers of a 304 replace the cached ones (RFC 9111 §3.2), so send no policy: the cached page needs the one with
    // its nonce.
    ctx.remove('Content-Security-Policy');
    ctx.status = 304;
    return;
  }
  sendPage(ctx, page, 200);
}

function sendPage(ctx: Context, page: WebPage, status: number): void {
  const { html, policy } = page.render();
  ctx.set('Content-Security-Policy', policy);
  ctx.status = status;
  ctx.type = 'text/html';
  ctx.body = html;
}

function sendFile(ctx: Context, file: WebFile): void {
  const { identity, br, gzip } = file.codings;
  const [coding, { bytes, etag }] = pick(ctx, { br, gzip }) ?? [null, identity];
  if (br !== undefined || gzip !== undefined) ctx.vary('Accept-Encoding');
  // A file name below /assets/ contains the hash of its content.
  const isHashed = ctx.path.startsWith('/assets/');
  ctx.set({ ETag: etag, 'Cache-Control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache' });
  if (isNotModified(ctx, etag)) {
    ctx.status = 304;
    return;
  }
  if (coding !== null) ctx.set('Content-Encoding', coding);
  ctx.type = file.extension;
  ctx.body = bytes;
}

/** Returns the smallest coding that the caller accepts. */
function pick(
  ctx: Context,
  codings: Readonly<Record<'br' | 'gzip', WebBytes | undefined>>,
): [string, WebBytes] | null {
  for (const coding of ['br', 'gzip'] as const) {
    const found = codings[coding];
    // Ask for one coding at a time: browsers list all codings as equally good, gzip first.
    if (found !== undefined && ctx.acceptsEncodings(coding) === coding) return [coding, found];
  }
  return null;
}

/** Sends browsers the page's own "not found" view for an unknown path; rethrows the error otherwise. */
function sendNotFound(ctx: Context, page: WebPage, error: unknown): void {
  const isMissing = error instanceof ServiceError && error.code === 'NOT_FOUND';
  const reads = ctx.method === 'GET' || ctx.method === 'HEAD';
  if (!isMissing || !reads || isForPrograms(ctx.path) || ctx.accepts('json', 'html') !== 'html') throw error;
  sendPage(ctx, page, 404);
}
