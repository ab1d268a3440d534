import type { Db } from '../../storage/database/connection.js';
import { checkHits, type SearchScope } from '../../storage/search/hits.js';
import { readCurrentIndex } from '../../storage/search/indexes.js';
import type { Collected } from './collect.js';

/**
 * Checks hits once more, since their resources may have been deleted, disabled or changed while the reranker worked.
 * Returns those that may still be shown, with the current names and metadata. A hit of an earlier run keeps its run.
 */
export async function checkAgain(
  db: Db,
  scope: SearchScope,
  hits: readonly Collected[],
): Promise<readonly Collected[]> {
  const ids = [...new Set(hits.map(({ resource }) => resource.id))];
  while (ids.length > 0) {
    const index = await readCurrentIndex(db);
    if (index === null) break;
    const { shown, version } = await checkHits(db, index.id, ids, scope);
    // Null: a rebuild replaced the index between the two statements.
    if (version !== null) return hits.flatMap((hit) => updated(hit, shown.get(hit.resource.id)));
  }
  return [];
}

function updated(hit: Collected, resource: Collected['resource'] | undefined): readonly Collected[] {
  if (resource === undefined) return [];
  const { run, artifact_id } = hit.resource;
  return [{ ...hit, resource: { ...resource, run, artifact_id } }];
}
