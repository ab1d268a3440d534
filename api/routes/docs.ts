import { ServiceError } from '../../core/errors.js';
import { docsHeaders } from '../pages/docs/index.js';
import { replyCompressed } from '../pages/reply-compressed.js';
import { defineRoute, type Route } from '../route.js';
import { sessionToken } from '../auth/session-cookie.js';

const tag = 'Pages';

const docs = defineRoute({
  method: 'GET',
  path: '/docs',
  atRoot: true,
  operationId: 'getDocsPage',
  summary: 'Interactive API documentation',
  description: 'This document as a page. Try every operation with your session or with a key that you paste.',
  tag,
  scope: 'open',
  tagged: true,
  responses: {
    200: {
      description: 'A page.',
      mediaType: 'text/html',
      examples: { 'The beginning': '<!doctype html>\n<html lang="en">' },
    },
    308: { description: 'The page is one level up.', headers: { Location: 'The URL of the page.' } },
  },
  handler({ koa, deps }) {
    // The page loads its files by relative paths, so that it works below any path.
    if (koa.path.endsWith('/')) return Promise.resolve({ status: 308, headers: { Location: '../docs' } });
    koa.vary('Cookie');
    const page = deps.docs.page(sessionToken(koa, deps.config.publicUrl) !== null);
    return Promise.resolve(replyCompressed(koa, page, 'text/html; charset=utf-8', docsHeaders));
  },
});

const asset = defineRoute({
  method: 'GET',
  path: '/docs/assets/:version/:name',
  atRoot: true,
  operationId: 'getDocsAsset',
  summary: 'Assets of the API documentation',
  description: 'Scripts and a style sheet. The files of a version never change.',
  tag,
  scope: 'open',
  params: {
    version: {
      type: 'string',
      title: 'version',
      description: 'The version of the files, as used by the page.',
      pattern: '^[0-9a-f]{16}$',
      examples: ['0f3c9a5d7e1b2846'],
    },
    name: {
      type: 'string',
      title: 'file',
      description: 'The name of the file.',
      pattern: '^[a-z-]+\\.(js|css)$',
      examples: ['start.js'],
    },
  },
  tagged: true,
  responses: {
    200: {
      description: 'The file.',
      mediaType: '*/*',
      examples: { 'The beginning of a script': '// Shows the OpenAPI document with Swagger UI' },
    },
  },
  handler({ koa, deps, params: { version, name } }) {
    const assets = deps.docs.assets();
    const file = version === assets.version ? assets.files.get(name) : undefined;
    if (file === undefined) throw new ServiceError('NOT_FOUND', `There is no file ${name}.`);
    const headers = { 'Cache-Control': 'public, max-age=31536000, immutable' };
    return Promise.resolve(replyCompressed(koa, file, file.type, headers));
  },
});

export const docsRoutes: readonly Route[] = [docs, asset];
