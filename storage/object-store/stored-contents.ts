import { leastId } from '../../core/ids.js';
import type { SourceType } from '../../core/states.js';
import type { Db } from '../database/connection.js';
import type { StoredContent } from './open-stored.js';

/** An object that a row refers to, and the resource or artifact it belongs to. */
export type ReferencedContent = StoredContent & { readonly resource_id: string } & (
    | { readonly kind: 'source'; readonly source_type: SourceType }
    | { readonly kind: 'artifact'; readonly id: string; readonly type: string }
    | { readonly kind: 'searched'; readonly id: string; readonly type: string }
  );

/** Number of rows read at a time. */
const page = 500;

const selects = [
  `select id, 'source' as kind, id as resource_id, source_type, object_key, size_bytes, sha256
    from resources where object_key is not null`,
  `select id, 'artifact' as kind, resource_id, type, object_key, size_bytes,
    case when sha256_of = object_key then sha256 end as sha256 from artifacts`,
  // Search uses the last completed run, whose artifacts a later run may have replaced.
  `select resource_id as id, 'searched' as kind, resource_id, s.kind as type, object_key, size_bytes, sha256
    from search_sources s
    where object_key is not null and not exists (select from artifacts a where a.object_key = s.object_key)`,
  `select resource_id as id, 'searched' as kind, resource_id, 'embeddings' as type, vectors_key as object_key,
    vectors_bytes as size_bytes, vectors_sha256 as sha256 from search_sources s
    where vectors_key is not null and not exists (select from artifacts a where a.object_key = s.vectors_key)`,
];

/** Every object that a row refers to, sources first; rows added or removed meanwhile may or may not be included. */
export async function* listContents(db: Db): AsyncGenerator<ReferencedContent> {
  for (const select of selects) {
    let after = leastId;
    for (;;) {
      const { rows } = await db.raw<{ rows: (ReferencedContent & { readonly id: string })[] }>(
        `select * from (${select}) as contents where id > ? order by id limit ?`,
        [after, page],
      );
      yield* rows;
      const last = rows.at(-1);
      if (last === undefined || rows.length < page) break;
      after = last.id;
    }
  }
}

/** Whether a row still refers to this object. */
export async function isStillReferenced(db: Db, content: ReferencedContent): Promise<boolean> {
  const { object_key } = content;
  if (content.kind === 'searched') {
    const { resource_id } = content;
    const sources = db('search_sources').where({ resource_id });
    const column = content.type === 'embeddings' ? 'vectors_key' : 'object_key';
    return (await sources.where({ [column]: object_key }).first('run')) !== undefined;
  }
  const row: unknown =
    content.kind === 'source'
      ? await db('resources').where({ id: content.resource_id, object_key }).first('id')
      : await db('artifacts').where({ id: content.id, object_key }).first('id');
  return row !== undefined;
}
