import type { ResourceFilter } from '../../core/resources/resource-filter.js';
import type { SourceType } from '../../core/states.js';
import type { Db } from '../database/connection.js';
import { prepared } from '../database/prepared.js';
import { applyResourceFilter } from '../resources/resource-filter.js';

/** Restricts which resources a search may show. */
export interface SearchScope {
  readonly filter: ResourceFilter;
  /** Null means any. */
  readonly resourceIds: readonly string[] | null;
  readonly includeDisabled: boolean;
}

/** The current state of a resource that a search may show. */
export interface FoundResource {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly source_type: SourceType;
  readonly source_uri: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The run whose chunks are shown. */
  readonly run: number;
  readonly artifact_id: string;
}

/** The result of checking the resources of hits. */
export interface Checked {
  /** The resources that may be shown. */
  readonly shown: ReadonlyMap<string, FoundResource>;
  /** The current version of the index. If it has changed since the read, missing chunks may exist under another run. */
  readonly version: number | null;
}

type CheckedRow = { readonly version: number; readonly found: FoundResource | null };

const shownColumns = [
  'r.id',
  'r.name',
  'r.type',
  'r.source_type',
  'r.source_uri',
  'r.metadata',
  'i.run',
  'i.artifact_id',
] as const;

/** Most searches have no filter, and planning this statement takes longer than executing it, so it is prepared. */
const checkUnfiltered = prepared<CheckedRow>(
  'check_search_hits',
  `select x.version, case when f.id is not null then row_to_json(f) end as found
   from search_indexes x
   left join (
     select ${shownColumns.join(', ')} from resources r
     join search_indexed i on i.resource_id = r.id and i.index_id = ?
     where r.id = any (?::uuid[]) and (r.is_enabled or ?)
   ) f on true
   where x.id = ? and x.state = 'CURRENT'`,
);

/**
 * Checks all hits in one statement. A resource is shown if it exists, is enabled (or the caller sees all) and matches
 * the filter, and only with the chunks of the run that the index lists for it.
 */
export async function checkHits(
  db: Db,
  indexId: number,
  resourceIds: readonly string[],
  scope: SearchScope,
): Promise<Checked> {
  const rows = isUnfiltered(scope)
    ? await checkUnfiltered(db, [indexId, [...resourceIds], scope.includeDisabled, indexId])
    : await checkFiltered(db, indexId, resourceIds, scope);
  const shown = rows.flatMap((row) => (row.found === null ? [] : [row.found]));
  return {
    version: rows[0]?.version ?? null,
    shown: new Map(shown.map((resource) => [resource.id, resource])),
  };
}

async function checkFiltered(
  db: Db,
  indexId: number,
  resourceIds: readonly string[],
  scope: SearchScope,
): Promise<readonly CheckedRow[]> {
  const found = db('resources as r')
    .join('search_indexed as i', (join) => join.on('i.resource_id', 'r.id').andOnVal('i.index_id', indexId))
    .select(...shownColumns)
    .whereRaw('r.id = any (?::uuid[])', [[...resourceIds]]);
  narrow(found, scope);
  return (await db('search_indexes as x')
    .where({ 'x.id': indexId, 'x.state': 'CURRENT' })
    .leftJoin(found.as('f'), (join) => join.on(db.raw('true')))
    .select(
      'x.version',
      db.raw('case when f.id is not null then row_to_json(f) end as found'),
    )) as CheckedRow[];
}

const isUnfiltered = ({ resourceIds, filter }: SearchScope): boolean =>
  resourceIds === null && Object.keys(filter).length === 0;

/**
 * The resources that a search may show, if the search is restricted and there are at most `limit` of them; otherwise
 * null.
 */
export async function listCandidates(
  db: Db,
  indexId: number,
  scope: SearchScope,
  limit: number,
): Promise<readonly string[] | null> {
  if (isUnfiltered(scope)) return null;
  const query = db('resources as r')
    .join('search_indexed as i', (join) => join.on('i.resource_id', 'r.id').andOnVal('i.index_id', indexId))
    .select('r.id');
  narrow(query, scope);
  const ids = (await query.limit(limit + 1)) as { id: string }[];
  return ids.length > limit ? null : ids.map(({ id }) => id);
}

function narrow(query: ReturnType<Db['queryBuilder']>, scope: SearchScope): void {
  applyResourceFilter(query, scope.filter);
  if (!scope.includeDisabled) void query.where('r.is_enabled', true);
  if (scope.resourceIds !== null) void query.whereRaw('r.id = any (?::uuid[])', [[...scope.resourceIds]]);
}
