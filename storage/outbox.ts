import type { Origin } from '../core/origin.js';
import type { RunStart } from '../core/run-protocol.js';
import type { Db } from './database/connection.js';
import { prepared } from './database/prepared.js';
import { runStartOfOutbox, toRunStart, type RunStartRow } from './run-starts.js';

/**
 * What is to be told to Temporal, written in the transaction that decides it and sent afterwards. START: a run's
 * workflow; CANCEL: the wish to end it; CLEAN_UP: the workflow that removes what a deleted resource left;
 * OPERATION: the workflow of a bulk operation, whose id stands in `resource_id`.
 */
export type OutboxKind = 'START' | 'CANCEL' | 'CLEAN_UP' | 'OPERATION';

export interface OutboxMessage {
  readonly id: number;
  readonly kind: OutboxKind;
  readonly resource_id: string;
  readonly run: number | null;
  readonly tries: number;
  /** It was written seconds ago: who was to send it right after its commit has not. */
  readonly late: boolean;
  readonly origin: Origin | null;
  /** What a START needs to know; null for the others, and for a run that is over or whose resource is gone. */
  readonly start: RunStart | null;
}

/** Sets the origin of all messages that this transaction writes from now on. */
export async function noteOrigin(trx: Db, origin: Origin): Promise<void> {
  if (Object.keys(origin).length === 0) return;
  await trx.raw("select set_config('kw.origin', ?, true)", [JSON.stringify(origin)]);
}

/** Puts a message into the outbox, inside the caller's transaction. Returns its id. */
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

/** The statement that leases pending messages that meet a condition. */
const leaseOf = (condition: string): string =>
  `update outbox set leased_until = now() + make_interval(secs => ?), tries = tries + 1
   where id in (
     select o.id from outbox o
     where o.due_at <= now() and (o.leased_until is null or o.leased_until < now())
       and not exists (
         select 1 from outbox e where e.resource_id = o.resource_id and e.run = o.run and e.id < o.id
       )
       ${condition} for update skip locked
   )
   returning id, kind, resource_id, run, tries, created_at < now() - interval '2 seconds' as late, origin,
     ${runStartOfOutbox} as start`;

const lease = prepared<LeasedRow>('lease_messages', leaseOf('order by o.due_at, o.id limit ?'));
const leaseOne = prepared<LeasedRow>('lease_message', leaseOf('and o.id = ?'));

/**
 * Takes messages that are due for `leaseSeconds`, so that no other process sends them meanwhile. A message waits for
 * the earlier ones of its run. `only` takes one message whose sending is asked for right after its commit.
 */
export async function leaseMessages(
  db: Db,
  {
    limit,
    leaseSeconds,
    only,
  }: { readonly limit: number; readonly leaseSeconds: number; readonly only?: number },
): Promise<OutboxMessage[]> {
  const rows =
    only === undefined ? await lease(db, [leaseSeconds, limit]) : await leaseOne(db, [leaseSeconds, only]);
  return rows.map(({ origin, start, ...message }) => ({
    ...message,
    origin: origin === null ? null : (JSON.parse(origin) as Origin),
    start: start === null ? null : toRunStart(start),
  }));
}

/** Removes a message that was sent; `noteStarted` does it for the start of a run. */
export async function removeMessage(db: Db, id: number): Promise<void> {
  await db('outbox').where({ id }).delete();
}

/** Gives a message back that could not be sent: it is due again after a pause that grows to half a minute. */
export async function postponeMessage(
  db: Db,
  message: Pick<OutboxMessage, 'id' | 'tries'>,
  error: string,
): Promise<void> {
  const pause = Math.min(30, 2 ** Math.min(message.tries - 1, 5));
  await db('outbox')
    .where({ id: message.id })
    .update({
      leased_until: null,
      due_at: db.raw('now() + make_interval(secs => ?)', [pause]),
      last_error: error.slice(0, 500).replaceAll('\0', ''),
    });
}

/** Removes a start that was not acknowledged yet. Returns how often it was tried, or null when there is none. */
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

/** Why the start of a run could not be sent the last time; null: it was sent, or not tried yet. */
export async function unsentStartError(db: Db, resourceId: string, run: number): Promise<string | null> {
  const row: { last_error: string | null } | undefined = await db('outbox')
    .where({ kind: 'START', resource_id: resourceId, run })
    .first('last_error');
  return row?.last_error ?? null;
}

/** How many messages wait, and since when the oldest does. */
export async function outboxBacklog(db: Db): Promise<{ count: number; oldest_seconds: number }> {
  const rows: { count: number; oldest_seconds: number }[] = await db('outbox').select(
    db.raw('count(*) as count'),
    db.raw('coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as oldest_seconds'),
  );
  return rows[0] ?? { count: 0, oldest_seconds: 0 };
}
