import { listSources, queueChange } from '../../storage/search/changes.js';
import { readIndexedRuns } from '../../storage/search/indexed.js';
import { noteFilled, type SearchIndex } from '../../storage/search/indexes.js';
import { areUsable, inParts, readEntries, type FollowDeps } from './follow-changes.js';
import { writeBatch } from './write-batch.js';

/** Resources handled per turn. */
const together = 100;

/**
 * Continues to fill an index with older content, one part per turn. The database records where the last turn
 * ended. Returns the number of chunks written.
 *
 * @param isUnsure Whether an earlier process may have written some of the next part.
 */
export async function fillIndex(deps: FollowDeps, index: SearchIndex, isUnsure: boolean): Promise<number> {
  const { db } = deps;
  const sources = await listSources(db, { after: index.filled_up_to, limit: together });
  const ids = sources.map(({ resource_id }) => resource_id);
  const runs = await readIndexedRuns(db, index.id, ids);
  const missing = sources
    .filter(({ resource_id, run }) => (runs.get(resource_id)?.run ?? 0) < run)
    .map((source) => ({ resource_id: source.resource_id, source, tries: isUnsure ? 2 : 1 }));
  let chunks = 0;
  for (const part of inParts(missing)) {
    deps.assertOurs();
    chunks += await fillPart(deps, index, part);
  }
  await noteFilled(db, index.id, { upTo: ids.at(-1) ?? null, isFilled: sources.length < together });
  return chunks;
}

/** A resource that fails is left to `followChanges`, which retries it and finally gives it up. */
async function fillPart(
  deps: FollowDeps,
  index: SearchIndex,
  part: Parameters<typeof readEntries>[1],
): Promise<number> {
  try {
    return await writeBatch(deps, index, await readEntries(deps, part));
  } catch (err) {
    deps.signal.throwIfAborted();
    deps.assertOurs();
    const [first] = part;
    if (first === undefined || !(await areUsable(deps, [index]))) throw err;
    if (part.length === 1) {
      deps.log.warn({ err, resource_id: first.resource_id }, 'a resource could not be indexed; retrying');
      await queueChange(deps.db, first.resource_id);
      return 0;
    }
    let chunks = 0;
    for (const one of part) chunks += await fillPart(deps, index, [{ ...one, tries: 2 }]);
    return chunks;
  }
}
