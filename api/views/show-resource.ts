import { groupBy } from '../../core/group-by.js';
import { listArtifacts } from '../../storage/artifacts.js';
import type { Db } from '../../storage/database/connection.js';
import { findWholeResources, type Resource } from '../../storage/resources/resources.js';
import { listSteps } from '../../storage/runs/runs.js';
import type { ApiDeps } from '../deps.js';
import { found } from '../lookups/found.js';
import { resourceTag } from '../reply/entity-tags.js';
import { viewListedResource, viewResource, viewArtifact, viewStep } from './resource.js';
import type { ListedResourceView, ResourceView } from './resource.js';

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

/** Returns resources for lists, with optional additions; makes at most two queries for any number of resources. */
export async function showResources(
  db: Db,
  resources: readonly Resource[],
  include: readonly ('steps' | 'artifacts')[],
): Promise<ListedResourceView[]> {
  const [steps, artifacts] = await Promise.all([
    include.includes('steps')
      ? listSteps(
          db,
          resources.map(({ id, run }) => [id, run] as const),
        )
      : null,
    include.includes('artifacts')
      ? listArtifacts(
          db,
          resources.map(({ id }) => id),
        )
      : null,
  ]);
  const stepsOf = groupBy(steps ?? [], (step) => step.resource_id);
  const artifactsOf = groupBy(artifacts ?? [], (artifact) => artifact.resource_id);
  return resources.map((resource) => ({
    ...viewListedResource(resource),
    ...(steps && { steps: (stepsOf.get(resource.id) ?? []).map(viewStep) }),
    ...(artifacts && { artifacts: (artifactsOf.get(resource.id) ?? []).map(viewArtifact) }),
  }));
}
