import {
  currentPositionOf,
  type ChangeEvent,
  type EventHorizon,
  type EventPage,
  type EventPosition,
  type EventType,
} from '../core/events.js';
import type { Db } from './database/connection.js';

/** The channel that notifies readers of new events. */
export const eventChannel = 'kw_events';

/**
 * The cluster, the database in it, the table and the timeline. A restore into another place changes one of the first
 * three; a failover or a point-in-time recovery changes the last.
 */
const horizon = `
  select pg_snapshot_xmin(pg_current_snapshot()) as ended_below, pg_snapshot_xmax(pg_current_snapshot()) as begun_below,
    left(md5(concat_ws(' ',
      (select system_identifier from pg_control_system()),
      (select oid from pg_database where datname = current_database()),
      cast(cast('events' as regclass) as oid),
      left(pg_walfile_name(pg_current_wal_lsn()), 8)
    )), 12) as origin`;

interface HorizonRow {
  readonly origin: string;
  readonly ended_below: string;
  readonly begun_below: string;
}

interface PageRow extends HorizonRow {
  readonly continues: boolean;
  /** Null in the only row of a page without events. */
  readonly txid: string | null;
  readonly id: number;
  readonly at: Date;
  readonly type: EventType;
  readonly resource_id: string | null;
  readonly data: Record<string, unknown>;
}

const toHorizon = (row: HorizonRow): EventHorizon => ({
  origin: row.origin,
  endedBelow: BigInt(row.ended_below),
  begunBelow: BigInt(row.begun_below),
});

const toEvent = (row: PageRow & { readonly txid: string }): ChangeEvent => ({
  position: { txid: BigInt(row.txid), id: row.id },
  at: row.at,
  type: row.type,
  resourceId: row.resource_id,
  data: row.data,
});

/** The range of events that can be read now. */
export async function readEventHorizon(db: Db): Promise<EventHorizon> {
  const { rows } = await db.raw<{ rows: [HorizonRow] }>(horizon);
  return toHorizon(rows[0]);
}

/** At most `limit` events after a position, only up to the oldest transaction that is still open. */
export async function readEvents(db: Db, after: EventPosition, limit: number): Promise<EventPage> {
  const { rows } = await db.raw<{ rows: [PageRow, ...PageRow[]] }>(
    `with horizon as materialized (${horizon})
     select h.*, e.*, cast(:txid as xid8) <= h.ended_below
       and exists (select from events where (txid, id) <= (cast(:txid as xid8), cast(:id as bigint))) as continues
     from horizon h left join lateral (
       select * from events
       where (txid, id) > (cast(:txid as xid8), cast(:id as bigint)) and txid < h.ended_below
       order by txid, id limit :limit
     ) e on true
     order by e.txid, e.id`,
    { txid: String(after.txid), id: after.id, limit },
  );
  const now = toHorizon(rows[0]);
  const events = rows.filter((row): row is PageRow & { txid: string } => row.txid !== null).map(toEvent);
  const last = events.at(-1);
  const upTo = last !== undefined && events.length === limit ? last.position : currentPositionOf(now);
  return { ...now, events, upTo, continues: rows[0].continues };
}

/**
 * Removes at most `limit` events older than `ageSeconds`, oldest first. The last of them is kept as a marker: all
 * events after it are still there. Returns the number removed.
 */
export async function removeOldEvents(
  db: Db,
  { ageSeconds, limit }: { readonly ageSeconds: number; readonly limit: number },
): Promise<number> {
  const result = await db.raw<{ rowCount: number }>(
    `with oldest as (select txid, id, at from events order by txid, id limit :limit),
       mark as (
         select txid, id from oldest where at < now() - make_interval(secs => :ageSeconds)
         order by txid desc, id desc limit 1
       )
     delete from events e using mark where (e.txid, e.id) < (mark.txid, mark.id)`,
    { ageSeconds, limit },
  );
  return result.rowCount;
}

/** Removes events of future transactions: they were restored from a backup of another cluster. */
export async function removeForeignEvents(db: Db): Promise<void> {
  await db.raw('delete from events where txid >= pg_snapshot_xmax(pg_current_snapshot())');
}
