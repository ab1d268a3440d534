import { validationFailed } from '../../core/errors.js';
import { filterOfBody, filterOfQuery } from '../request/resource-filter.js';
import type { SearchBody, SearchQuery } from '../schemas/search.js';
import type { SearchRequest } from './types.js';

/** Converts a valid query to a search. Throws VALIDATION_FAILED. */
export function requestOfQuery(query: SearchQuery): SearchRequest {
  const { q, mode, limit, per_resource, context, include_disabled, resource_id, ...filter } = query;
  return {
    ...{ q, mode, limit, per_resource, context, include_disabled, resource_id },
    filter: filterOfQuery(filter),
  };
}

/** Converts a valid body to a search. Filters may be in `filter` or next to it. Throws VALIDATION_FAILED. */
export function requestOfBody(body: SearchBody): SearchRequest {
  const {
    q,
    mode,
    limit,
    per_resource,
    context,
    include_disabled,
    resource_id,
    filter = {},
    ...beside
  } = body;
  const twice = Object.keys(filter).find((name) => name in beside);
  if (twice !== undefined)
    throw validationFailed({ path: `/filter/${twice}`, message: 'is also given outside of filter' });
  const ids = typeof resource_id === 'string' ? [resource_id] : resource_id;
  return {
    ...{ q, mode, limit, per_resource, context, include_disabled, resource_id: ids },
    filter: { ...filterOfBody(beside, ''), ...filterOfBody(filter) },
  };
}
