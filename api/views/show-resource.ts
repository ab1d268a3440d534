import type { Db } from '../../storage/database/connection.js';
import { findWholeResources } from '../../storage/resources/resources.js';
import type { ApiDeps } from '../deps.js';
import { found } from '../lookups/found.js';
import { resourceTag } from '../reply/entity-tags.js';
import { viewResource, type ResourceView } from './resource.js';

interface ShownResource {
  readonly body: ResourceView;
  readonly headers: { readonly ETag: string };
}

/** Reads a resource with its steps and artifacts, and logs its id with the request from here on. Throws NOT_FOUND. */
export async function showResource(deps: ApiDeps, trx: Db, id: string): Promise<ShownResource> {
  const key = id.toLowerCase();
  const { resource, steps, artifacts } = found(
    (await findWholeResources(trx, [key])).get(key) ?? null,
    'resource',
    id,
  );
  deps.logFields.add({ resource_id: resource.id, run: resource.run });
  return {
    body: viewResource(resource, steps, artifacts),
    headers: { ETag: resourceTag(deps, resource, steps, artifacts) },
  };
}
