import type { FromSchema } from 'json-schema-to-ts';
import { messageOf, ServiceError } from '../../core/errors.js';
import { withTimeLimit } from '../../core/time-limit.js';
import { countSources, readBacklog } from '../../storage/search/changes.js';
import { listIndexFailures } from '../../storage/search/indexed.js';
import { failingSince, listLiveIndexes, type SearchIndex } from '../../storage/search/indexes.js';
import type { ApiDeps } from '../deps.js';
import type { searchStatusSchema } from '../schemas/search.js';
import { assertReadable } from '../../runtime/search/lance/readable.js';

type SearchStatus = FromSchema<typeof searchStatusSchema>;

const shownFailures = 20;

export async function readStatus(
  deps: Pick<ApiDeps, 'db' | 'config' | 'search' | 'log'>,
): Promise<SearchStatus> {
  const { db, config } = deps;
  const [indexes, backlog] = await Promise.all([listLiveIndexes(db), readBacklog(db)]);
  const current = indexes.find(({ state }) => state === 'CURRENT') ?? null;
  const building = indexes.find(({ state }) => state === 'BUILDING') ?? null;
  const isFilling = current !== null && !current.is_filled;
  const total = building !== null || isFilling ? await countSources(db) : 0;
  const failures =
    current === null || current.failed === 0 ? [] : await listIndexFailures(db, current.id, shownFailures);
  const problem = current === null || current.resources === 0 ? null : await problemOf(deps, current);
  return {
    engine: 'lancedb',
    uri: config.searchUri,
    created_at: current?.created_at.toISOString() ?? null,
    available: problem === null,
    problem,
    resources: current?.resources ?? 0,
    chunks: current?.chunks ?? 0,
    failed: current?.failed ?? 0,
    failures: [...failures],
    pending: backlog.pending + (isFilling ? Math.max(0, total - current.resources - backlog.pending) : 0),
    oldest_pending_at: backlog.oldest?.toISOString() ?? null,
    upkeep_failing_since: failingSince(indexes)?.toISOString() ?? null,
    rebuilding: building !== null,
    rebuild:
      building === null
        ? null
        : { started_at: building.created_at.toISOString(), resources: building.resources, total },
  };
}

const patienceMs = 5_000;

async function problemOf(
  { config, search, log }: Pick<ApiDeps, 'config' | 'search' | 'log'>,
  index: SearchIndex,
): Promise<string | null> {
  try {
    assertReadable(index, config);
    // A damaged table can often be opened, so this also searches.
    const probe = search.engine
      .open(index)
      .then((reader) => reader.rankTerms(['a'], { limit: 1, resourceIds: null }));
    await withTimeLimit(patienceMs, probe, () => {
      throw new ServiceError('SEARCH_UNAVAILABLE', 'The search index does not answer.');
    });
    return null;
  } catch (err) {
    log.debug({ err }, 'the search index cannot be read');
    return err instanceof ServiceError ? err.message : messageOf(err);
  }
}
