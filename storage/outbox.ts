import type { Origin } from '../core/origin.js';
import type { OutboxKind, OutboxMessage } from '../core/outbox.js';
import type { Db } from './database/connection.js';
import { prepared } from './database/prepared.js';
import { runStartOfOutbox, toRunStart, type RunStartRow } from './runs/run-starts.js';

/** Sets the origin of all messages that this transaction writes from now on. */
export async function noteOrigin(trx: Db, origin: Origin): Promise<void> {
  if (Object.keys(origin).length === 0) return;
  await trx.raw("select set_config('kw.origin', ?, true)", [JSON.stringify(origin)]);
}

/** Adds a message to the outbox, inside the caller's transaction. Returns its id. */
export async function enqueue(
  trx: Db,
  kind: OutboxKind,
  resourceId: string,
  run: number | null,
): Promise<number> {
  const rows: { id: number }[] = await trx('outbox')
    .insert({ kind, resource_id: resourceId, run })
    .returning('id');
  return (rows as [{ id: number }])[0].id;
}

type LeasedRow = Omit<OutboxMessage, 'origin' | 'start'> & {
  readonly origin: string | null;
  readonly start: RunStartRow | null;
};

/** Seconds of the longest pause before a message is tried again. */
const longestPause = 30;
/** Concurrent transactions see times that differ by less than this. */
const margin = '1 minute';

/**
 * Prefixes a statement with one that makes messages due if they would wait longer than the longest pause: the
 * database's clock was ahead and has been set back. As a condition of the statement itself, this would prevent it from
 * reading only the due messages from the index.
 */
const withTooLate = (statement: string): string =>
  `with too_late as (
     update outbox set due_at = now() where due_at > now() + interval '${longestPause} seconds' + interval '${margin}'
   ) ${statement}`;

/** The statement that leases pending messages that meet a condition. A lease that lasts too long does not count. */
const leaseOf = (condition: string): string =>
  `update outbox set leased_until = now() + make_interval(secs => ?), tries = tries + 1
   where id in (
     select o.id from outbox o
     where o.due_at <= now() and (
         o.leased_until is null or o.leased_until < now()
         or o.leased_until > now() + make_interval(secs => ?) + interval '${margin}'
       )
       and not exists (
         select 1 from outbox e where e.resource_id = o.resource_id and e.run = o.run and e.id < o.id
       )
       ${condition} for update skip locked
   )
   returning id, kind, resource_id, run, tries, created_at < now() - interval '2 seconds' as late, origin,
     ${runStartOfOutbox} as start`;

const lease = prepared<LeasedRow>('lease_messages', withTooLate(leaseOf('order by o.due_at, o.id limit ?')));
const leaseOne = prepared<LeasedRow>('lease_message', leaseOf('and o.id = ?'));

/**
 * Leases due messages for `leaseSeconds`, so that no other process sends them in the meantime. A message waits for the
 * earlier ones of its run. `only` leases one message, which is being sent right after its commit.
 */
export async function leaseMessages(
  db: Db,
  options: { readonly limit: number; readonly leaseSeconds: number; readonly only?: number },
): Promise<OutboxMessage[]> {
  const { limit, leaseSeconds, only } = options;
  const rows =
    only === undefined
      ? await lease(db, [leaseSeconds, leaseSeconds, limit])
      : await leaseOne(db, [leaseSeconds, leaseSeconds, only]);
  return rows.map(({ origin, start, ...message }) => ({
    ...message,
    origin: origin === null ? null : (JSON.parse(origin) as Origin),
    start: start === null ? null : toRunStart(start),
  }));
}

/** Removes a sent message; for the start of a run, `noteStarted` does it. */
export async function removeMessage(db: Db, id: number): Promise<void> {
  await db('outbox').where({ id }).delete();
}

/** Reschedules a message that could not be sent, after a pause that grows to half a minute. */
export async function postponeMessage(
  db: Db,
  message: Pick<OutboxMessage, 'id' | 'tries'>,
  error: string,
): Promise<void> {
  const pause = Math.min(longestPause, 2 ** Math.min(message.tries - 1, 5));
  await db('outbox')
    .where({ id: message.id })
    .update({
      leased_until: null,
      due_at: db.raw('now() + make_interval(secs => ?)', [pause]),
      last_error: error.slice(0, 500).replaceAll('\0', ''),
    });
}

/** Removes an unacknowledged start. Returns how often sending was tried, or null if there is no such start. */
export async function withdrawStart(
  trx: Db,
  resourceId: string,
  run: number,
): Promise<{ readonly tries: number } | null> {
  const rows: { tries: number }[] = await trx('outbox')
    .where({ kind: 'START', resource_id: resourceId, run })
    .delete()
    .returning('tries');
  return rows[0] ?? null;
}

/** The last error of sending the start of a run; null if it was sent or not tried yet. */
export async function unsentStartError(db: Db, resourceId: string, run: number): Promise<string | null> {
  const row: { last_error: string | null } | undefined = await db('outbox')
    .where({ kind: 'START', resource_id: resourceId, run })
    .first('last_error');
  return row?.last_error ?? null;
}

/** How many messages are waiting, and the age of the oldest. */
export async function outboxBacklog(db: Db): Promise<{ count: number; oldest_seconds: number }> {
  const rows: { count: number; oldest_seconds: number }[] = await db('outbox').select(
    db.raw('count(*) as count'),
    db.raw('coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as oldest_seconds'),
  );
  return rows[0] ?? { count: 0, oldest_seconds: 0 };
}
