import { ServiceError } from '../../core/errors.js';
import type { ApiDeps } from '../deps.js';
import type { SearchAnswer, SearchRequest } from './types.js';

/**
 * Finds chunks of enabled resources. Throws ServiceError: VALIDATION_FAILED, NO_EMBEDDER, NO_VECTORS, SEARCH_UNAVAILABLE,
 * DATABASE_UNAVAILABLE.
 */
export function search(_deps: ApiDeps, _request: SearchRequest): Promise<SearchAnswer> {
  return Promise.reject(new ServiceError('SEARCH_UNAVAILABLE', 'The index cannot be read.'));
}
