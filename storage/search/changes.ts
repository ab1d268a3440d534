import type { Db } from '../database/connection.js';
import { prepared } from '../database/prepared.js';
import type { StoredContent } from '../object-store/open-stored.js';

/** The searchable contents of a resource: artifacts of its last COMPLETED run. */
export interface SearchSource {
  readonly resource_id: string;
  readonly run: number;
  /** `text` if the run made no chunks; null if it made neither. */
  readonly kind: 'chunks' | 'text' | null;
  readonly artifact_id: string | null;
  readonly content: (StoredContent & { readonly metadata: string }) | null;
  readonly vectors: (StoredContent & { readonly metadata: string }) | null;
}

/** A change that the index must apply. */
export interface SearchChange {
  readonly resource_id: string;
  readonly number: number;
  /** How often processing it has started, including this time. */
  readonly tries: number;
  /** Null if the resource is deleted. */
  readonly source: SearchSource | null;
  /** Whether applying it takes so long that other changes should not wait for it. */
  readonly isLarge: boolean;
}

interface SourceRow {
  readonly resource_id: string;
  readonly run: number | null;
  readonly kind: 'chunks' | 'text' | null;
  readonly artifact_id: string | null;
  readonly object_key: string | null;
  readonly size_bytes: number | null;
  readonly sha256: string | null;
  readonly metadata: string | null;
  readonly vectors_key: string | null;
  readonly vectors_bytes: number | null;
  readonly vectors_sha256: string | null;
  readonly vectors_metadata: string | null;
}

const sourceColumns = `s.run, s.kind, s.artifact_id, s.object_key, s.size_bytes, s.sha256, s.metadata,
  s.vectors_key, s.vectors_bytes, s.vectors_sha256, s.vectors_metadata`;

function fromRow(row: SourceRow): SearchSource | null {
  const { resource_id, run, kind, artifact_id, object_key, size_bytes, sha256 } = row;
  if (run === null) return null;
  return {
    ...{ resource_id, run, kind, artifact_id },
    content:
      object_key === null
        ? null
        : { object_key, size_bytes: size_bytes ?? 0, sha256, metadata: row.metadata ?? '{}' },
    vectors:
      row.vectors_key === null
        ? null
        : {
            object_key: row.vectors_key,
            size_bytes: row.vectors_bytes ?? 0,
            sha256: row.vectors_sha256,
            metadata: row.vectors_metadata ?? '{}',
          },
  };
}

/**
 * A change with more bytes of chunks, or of vectors, is large. The shortest chunk has 13 bytes, so 100,000 chunks are
 * always large.
 */
const [largeContent, largeVectors] = [512 * 1024, 16 * 1024 * 1024];
/** How many later changes may precede a large one. */
const mostPreceding = 1_000;
/** The oldest due changes among which a large one is looked for, and small ones. Both searches end at the first they need. */
const [mostBeforeLarge, mostBeforeSmall] = [2_000, 100_000];

const take = prepared<
  SourceRow & { readonly number: number; readonly tries: number; readonly is_large: boolean }
>(
  'take_search_changes',
  `with due as not materialized (
     select c.resource_id, c.number, c.due_at, coalesce((
       select coalesce(s.size_bytes > ${largeContent}, false) or coalesce(s.vectors_bytes > ${largeVectors}, false)
       from search_sources s where s.resource_id = c.resource_id
     ), false) as is_large
     from search_changes c where c.due_at <= now() order by c.due_at, c.number
   ), small as (
     select resource_id, number, is_large from (select * from due limit ${mostBeforeSmall}) as oldest
     where not is_large order by due_at, number limit ?
   ), large as (
     select resource_id, number, is_large from (select * from due limit ${mostBeforeLarge}) as oldest
     where is_large and (
       (select count(*) from small) < ? or number + ${mostPreceding} < (select min(number) from small)
     ) order by due_at, number limit 1
   ), taken as (
     update search_changes c set tries = tries + 1, due_at = now() + make_interval(secs => ?)
     from (select * from small union all select * from large) as next
     where c.resource_id = next.resource_id and c.number = next.number
     returning c.resource_id, c.number, c.tries, next.is_large
   )
   select t.resource_id, t.number, t.tries, t.is_large, ${sourceColumns}
   from taken t left join search_sources s on s.resource_id = t.resource_id order by t.is_large, t.number`,
);

/**
 * Takes due changes, oldest first, but large ones last and one at a time: so a small change waits for at most one large
 * one. A large change is taken if fewer than `limit` small ones wait, or after a thousand later changes. All become due
 * again after `againSeconds` unless they are finished by then. A resource that changes again meanwhile has another number
 * and is left for the next call, because the source read here may be the earlier one.
 */
export async function takeChanges(
  db: Db,
  { limit, againSeconds }: { readonly limit: number; readonly againSeconds: number },
): Promise<readonly SearchChange[]> {
  const rows = await take(db, [limit, limit, againSeconds]);
  return rows.map((row) => ({
    resource_id: row.resource_id,
    number: row.number,
    tries: row.tries,
    source: fromRow(row),
    isLarge: row.is_large,
  }));
}

/** Queues a resource as if it had just changed. */
export async function queueChange(db: Db, resourceId: string): Promise<void> {
  await db.raw('select note_search_change(?)', [resourceId]);
}

const finish = prepared(
  'finish_search_changes',
  `delete from search_changes c using unnest(?::uuid[], ?::bigint[]) as done (resource_id, number)
   where c.resource_id = done.resource_id and c.number = done.number`,
);

/** Removes changes that the index has applied; newer ones stay. */
export async function finishChanges(
  db: Db,
  changes: readonly Pick<SearchChange, 'resource_id' | 'number'>[],
): Promise<void> {
  if (changes.length === 0) return;
  await finish(db, [changes.map((change) => change.resource_id), changes.map((change) => change.number)]);
}

/**
 * Keeps changes that only some of the live indexes have applied, until `releaseChanges`. This does not count as a try.
 */
export async function keepChanges(
  db: Db,
  changes: readonly Pick<SearchChange, 'resource_id' | 'number' | 'tries'>[],
): Promise<void> {
  if (changes.length === 0) return;
  await db.raw(
    `update search_changes c set due_at = 'infinity', tries = c.tries - 1
     from unnest(?::uuid[], ?::bigint[], ?::int[]) as kept (resource_id, number, tries)
     where c.resource_id = kept.resource_id and c.number = kept.number and c.tries = kept.tries`,
    [
      changes.map((change) => change.resource_id),
      changes.map((change) => change.number),
      changes.map((change) => change.tries),
    ],
  );
}

/** Makes all kept changes due. */
export async function releaseChanges(db: Db): Promise<void> {
  await db('search_changes').where({ due_at: 'infinity' }).update({ due_at: db.fn.now() });
}

/**
 * Makes all changes due that were kept, postponed, or taken and not finished. Only call it right after becoming the
 * exclusive consumer of changes.
 */
export async function makeAllDue(db: Db): Promise<void> {
  await db('search_changes').where('due_at', '>', db.fn.now()).update({ due_at: db.fn.now() });
}

/**
 * Makes changes due if their time is later than any postponement allows: the database's clock was ahead when they were
 * made, and was set back.
 */
export async function makeDueAfterSetBack(db: Db): Promise<void> {
  await db('search_changes')
    .where('due_at', '>', db.raw("now() + interval '1 hour'"))
    .where('due_at', '<', 'infinity')
    .update({ due_at: db.fn.now() });
}

/** Postpones changes that could not be applied. */
export async function postponeChanges(
  db: Db,
  changes: readonly Pick<SearchChange, 'resource_id' | 'number'>[],
  seconds: number,
): Promise<void> {
  if (changes.length === 0) return;
  await db.raw(
    `update search_changes c set due_at = now() + make_interval(secs => ?)
     from unnest(?::uuid[], ?::bigint[]) as late (resource_id, number)
     where c.resource_id = late.resource_id and c.number = late.number`,
    [seconds, changes.map((change) => change.resource_id), changes.map((change) => change.number)],
  );
}

/** Sources after a given resource, ordered by resource id, that an index does not contain yet. */
export async function listSources(
  db: Db,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<readonly SearchSource[]> {
  const query = db('search_sources as s').select('s.resource_id', db.raw(sourceColumns));
  if (after !== null) void query.where('s.resource_id', '>', after);
  const rows = (await query.orderBy('s.resource_id').limit(limit)) as SourceRow[];
  return rows.map(fromRow).filter((source) => source !== null);
}

const findJson = prepared<StoredContent & { readonly id: string }>(
  'find_search_json',
  `select a.id, a.object_key, a.size_bytes, case when a.sha256_of = a.object_key then a.sha256 end as sha256
   from artifacts c join artifacts a on a.resource_id = c.resource_id and a.step_index <= c.step_index
   where c.id = ? and a.type = ? and a.content_type = 'json' and ? between a.run and a.current_run
   order by a.step_index desc limit 1`,
);

/**
 * The JSON artifact of a type that the content of a source refers to, from the same or an earlier step. Null if there is
 * none, or if a later run has replaced it.
 */
export async function findReferredJson(
  db: Db,
  { artifact_id, run }: Pick<SearchSource, 'artifact_id' | 'run'>,
  type: string,
): Promise<(StoredContent & { readonly id: string }) | null> {
  const [found] = await findJson(db, [artifact_id, type, run]);
  return found ?? null;
}

/** How many changes the index has not applied yet, and how old the oldest is. */
export interface Backlog {
  readonly pending: number;
  readonly oldest: Date | null;
  /** Its age; 0 if there is none. */
  readonly oldestSeconds: number;
}

const backlog = prepared<Backlog>(
  'read_search_backlog',
  `select count(*) as pending, min(at) as oldest,
     coalesce(extract(epoch from now() - min(at)), 0)::float8 as "oldestSeconds" from search_changes`,
);

export async function readBacklog(db: Db): Promise<Backlog> {
  return (await backlog(db, []))[0] ?? { pending: 0, oldest: null, oldestSeconds: 0 };
}

/** Counts the resources that have a source. */
export async function countSources(db: Db): Promise<number> {
  const [row] = (await db('search_sources').count('* as count')) as [{ count: number }];
  return row.count;
}
