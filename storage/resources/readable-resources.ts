import type { Db } from '../database/connection.js';
import { newestFirst, type TimePage } from '../database/newest-first.js';

/** A resource with readable text, as an entry of a list. */
export interface ReadableResource {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly source_uri: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  /** The size of the text; null if only chunks of it are stored. */
  readonly text_bytes: number | null;
}

/** Resources older than the cursor's, newest first, that are enabled and COMPLETED and have a text or chunks of one. */
export async function listReadableResources(db: Db, page: TimePage): Promise<ReadableResource[]> {
  return await db('resources as r')
    .joinRaw(
      `cross join lateral (
         select case a.type when 'text' then a.size_bytes end as size_bytes from artifacts a
         where a.resource_id = r.id and (a.type, a.content_type) in (('text', 'text'), ('chunks', 'json'))
         -- A text that was made after the chunks is not the one that they were cut from.
         order by coalesce(a.step_index > max(a.step_index) filter (where a.type = 'chunks') over (), false),
           a.type desc, a.step_index desc limit 1
       ) t`,
    )
    .select('r.id', 'r.name', 'r.type', 'r.source_uri', 'r.created_at', 'r.updated_at')
    .select({ text_bytes: 't.size_bytes' })
    .where({ 'r.status': 'COMPLETED', 'r.is_enabled': true })
    .modify(newestFirst(page, 'r.created_at', 'r.id'));
}

/** Those of the given resources that exist and are enabled. */
export async function listEnabled(db: Db, ids: readonly string[]): Promise<string[]> {
  return await db('resources').whereIn('id', ids).where('is_enabled', true).pluck<string[]>('id');
}
