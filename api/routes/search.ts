import { ServiceError } from '../../core/errors.js';
import { tableFormat } from '../../runtime/search/lance/rows.js';
import { beginIndex } from '../../storage/search/indexes.js';
import { hasScope, type Principal } from '../auth/principal.js';
import { location } from '../reply/location.js';
import { defineRoute, type Route } from '../route.js';
import {
  rebuildAnswerSchema,
  searchAnswerSchema,
  searchBody,
  searchQuery,
  searchStatusSchema,
} from '../schemas/search.js';
import { requestOfBody, requestOfQuery } from '../search/request.js';
import { search } from '../search/search.js';
import { readStatus } from '../search/status.js';
import type { SearchRequest } from '../search/types.js';

const tag = 'Search';
const description =
  'Finds chunks that the last COMPLETED run of each resource made. A change takes effect as soon as it is committed: deleted or disabled resources are no longer found, and a new name is shown. Any of the words may match, ignoring case and accents; the exact word ranks above related forms such as its plural. Chinese, Japanese, Korean and Thai are split into words. A query without words finds nothing. Queries are never logged.';
const responses = { 200: { description: 'The hits, best first.', schema: searchAnswerSchema } };
const errors = ['NO_EMBEDDER', 'NO_VECTORS', 'SEARCH_UNAVAILABLE'] as const;

const byQuery = defineRoute({
  method: 'GET',
  path: '/search',
  operationId: 'search',
  summary: 'Search the contents of resources',
  description,
  tag,
  scope: 'read',
  query: searchQuery,
  responses,
  errors,
  async handler({ deps, principal, query }) {
    return { status: 200, body: await search(deps, admitted(principal, requestOfQuery(query))) };
  },
});

const byBody = defineRoute({
  method: 'POST',
  path: '/search',
  operationId: 'searchByBody',
  summary: 'Search the contents of resources, with a body',
  description: `${description} The body has the same names as the query of \`GET /search\`.`,
  tag,
  scope: 'read',
  body: searchBody,
  responses,
  errors,
  async handler({ deps, principal, body }) {
    return { status: 200, body: await search(deps, admitted(principal, requestOfBody(body))) };
  },
});

/** Throws FORBIDDEN if the key may not make this search. */
function admitted(principal: Principal, request: SearchRequest): SearchRequest {
  if (request.include_disabled === true && !hasScope(principal, 'write'))
    throw new ServiceError('FORBIDDEN', 'include_disabled needs a key with the scope write.');
  return request;
}

const status = defineRoute({
  method: 'GET',
  path: '/search/status',
  operationId: 'getSearchStatus',
  summary: 'Get the status of the search index',
  description: 'What the index holds, which changes are pending, and whether it can be read.',
  tag,
  scope: 'read',
  responses: { 200: { description: 'The index.', schema: searchStatusSchema } },
  async handler({ deps }) {
    return { status: 200, body: await readStatus(deps) };
  },
});

const rebuild = defineRoute({
  method: 'POST',
  path: '/search/rebuild',
  operationId: 'rebuildSearchIndex',
  summary: 'Rebuild the search index',
  description:
    'A worker builds a new index from the stored objects. Until it is complete, searches use the old index if it is readable. `GET /search/status` shows the progress. During a rebuild this call changes nothing.',
  tag,
  scope: 'admin',
  responses: {
    202: {
      description: 'A new index is being built.',
      schema: rebuildAnswerSchema,
      headers: { Location: 'The status of the index.' },
    },
  },
  async handler({ deps, change }) {
    const index = { uri: deps.config.searchUri, format: tableFormat, state: 'BUILDING' } as const;
    await change(
      async (trx) => (await beginIndex(trx, index)) || null,
      () => ({ object: { type: 'search' } }),
    );
    return { status: 202, body: { rebuilding: true }, headers: location(deps.config, 'search', 'status') };
  },
});

export const searchRoutes: readonly Route[] = [byQuery, byBody, status, rebuild];
