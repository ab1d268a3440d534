import { validationFailed } from '../../core/errors.js';
import { checkMetadataSize, mergeMetadata } from '../../core/resources/metadata.js';
import type { ResourceFilter } from '../../core/resources/resource-filter.js';
import type { NewOperation } from '../../storage/operations/operations.js';
import type { NewOperationBody } from '../schemas/bulk-operation.js';
import { filterOfBody } from './resource-filter.js';

/** Returns the operation that a valid body asks for. Throws VALIDATION_FAILED. */
export function readNewOperation(body: NewOperationBody): NewOperation {
  const { action, filter, ids, from_step: fromStep, metadata, expected_matched: expectedMatched } = body;
  if ((filter === undefined) === (ids === undefined))
    throw validationFailed({ path: '', message: 'must have either filter or ids' });
  if (fromStep !== undefined && action !== 'reprocess')
    throw validationFailed({ path: '/from_step', message: 'is allowed only with the action reprocess' });
  if ((metadata !== undefined) !== (action === 'set_metadata'))
    throw validationFailed({
      path: '/metadata',
      message: metadata === undefined ? 'is missing' : 'is allowed only with the action set_metadata',
    });
  if (metadata) checkMetadataSize(mergeMetadata({}, metadata), '/metadata');
  return {
    action,
    fromStep: fromStep ?? null,
    expectedMatched: expectedMatched ?? null,
    filter: filter ?? null,
    // A merge patch of null removes everything; in the table, null means that no patch was given.
    metadata: metadata === undefined ? null : { patch: metadata },
    resources:
      filter === undefined
        ? { ids: (ids ?? []).map((id) => id.toLowerCase()) }
        : { filter: mustSayAll(filterOfBody(filter)) },
  };
}

/**
 * Returns the filter. Throws VALIDATION_FAILED if it is empty: a filter for all resources must contain `all`. An empty
 * `q`, such as an unset variable of a script, does not count, because every name contains it.
 */
function mustSayAll(filter: ResourceFilter): ResourceFilter {
  const { q, ...others } = filter;
  if (!q && Object.keys(others).length === 0)
    throw validationFailed({
      path: '/filter',
      message: 'must not be empty; to select every resource, use {"all": true}',
    });
  return filter;
}
