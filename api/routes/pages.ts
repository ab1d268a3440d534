import { pageHeaders } from '../pages/page.js';
import { renderDocs } from '../pages/docs.js';
import { defineRoute, type Route } from '../route.js';

const tag = 'Pages';
const responses = {
  200: {
    description: 'A page.',
    mediaType: 'text/html',
    examples: { 'How it begins': '<!doctype html>\n<html lang="en">' },
  },
} as const;
const type = 'text/html; charset=utf-8';

const docs = defineRoute({
  method: 'GET',
  path: '/docs',
  atRoot: true,
  operationId: 'showDocs',
  summary: 'The interface, for people',
  tag,
  scope: 'open',
  responses,
  handler: ({ deps }) =>
    Promise.resolve({ status: 200, type, headers: pageHeaders, body: renderDocs(deps.document) }),
});

export const pageRoutes: readonly Route[] = [docs];
