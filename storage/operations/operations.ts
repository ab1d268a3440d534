import { ServiceError } from '../../core/errors.js';
import { uuidv7 } from '../../core/ids.js';
import type { CodeCounts, OperationAction, OperationStatus } from '../../core/operations.js';
import type { Db } from '../database/connection.js';
import { fromJsonText, toJsonText } from '../database/json-text.js';
import { newestFirst, type TimePage } from '../database/newest-first.js';
import { enqueue } from '../outbox.js';
import { selectTargets, targetId, type OperationRequest } from './targets.js';

/** A bulk operation. `done`, `skipped` and `failed` add up to `matched` once it is COMPLETED. */
export interface Operation {
  readonly id: string;
  readonly action: OperationAction;
  /** The filter as given; null if the resources were listed by id. */
  readonly filter: object | null;
  readonly from_step: number | 'failed' | null;
  /** For `set_metadata`; null for other actions. */
  readonly metadata: { readonly patch: object | null } | null;
  readonly status: OperationStatus;
  readonly matched: number;
  readonly done: number;
  readonly skipped: CodeCounts;
  readonly failed: CodeCounts;
  /** Why there has been no progress; null if it progresses or has ended. */
  readonly stalled: string | null;
  readonly created_at: Date;
  readonly finished_at: Date | null;
}

interface OperationRow extends Omit<
  Operation,
  'filter' | 'from_step' | 'metadata' | 'done' | 'skipped' | 'failed' | 'stalled'
> {
  readonly filter: string | null;
  readonly from_step: string | null;
  readonly metadata: string | null;
  readonly counts:
    | { readonly outcome: 'DONE' | 'SKIPPED' | 'FAILED'; readonly code: string; readonly count: number }[]
    | null;
  readonly quiet_seconds: number;
  readonly unsent: string | null;
}

/** The stored request, apart from its resources: `filter` and `metadata` as given. */
export interface NewOperation extends OperationRequest {
  readonly filter: object | null;
  readonly metadata: { readonly patch: object | null } | null;
  /** How many resources must match; null: any number. */
  readonly expectedMatched: number | null;
}

/** After this many seconds without progress an operation shows the reason. */
const quietSeconds = 30;

const selectOperations = (db: Db): ReturnType<Db['queryBuilder']> =>
  db('operations as o').select(
    'o.id',
    'o.action',
    'o.filter',
    'o.from_step',
    'o.metadata',
    'o.status',
    'o.matched',
    'o.created_at',
    'o.finished_at',
    db.raw('(select json_agg(c) from operation_counts c where c.operation_id = o.id) as counts'),
    db.raw('extract(epoch from now() - o.progressed_at)::float8 as quiet_seconds'),
    db.raw(
      "(select m.last_error from outbox m where m.resource_id = o.id and m.kind = 'OPERATION' limit 1) as unsent",
    ),
  );

function fromRow({ counts, quiet_seconds, unsent, ...row }: OperationRow): Operation {
  const byCode = (outcome: 'SKIPPED' | 'FAILED'): CodeCounts =>
    Object.fromEntries(
      (counts ?? []).filter((each) => each.outcome === outcome).map(({ code, count }) => [code, count]),
    );
  return {
    ...row,
    filter: fromJsonText<object>(row.filter),
    from_step: fromJsonText<number | 'failed'>(row.from_step),
    metadata: fromJsonText<{ readonly patch: object | null }>(row.metadata),
    done: counts?.find(({ outcome }) => outcome === 'DONE')?.count ?? 0,
    skipped: byCode('SKIPPED'),
    failed: byCode('FAILED'),
    stalled: row.status === 'RUNNING' && quiet_seconds > quietSeconds ? describeStall(unsent) : null,
  };
}

function describeStall(unsent: string | null): string {
  return unsent === null
    ? 'No worker has worked on it recently. Check that a worker runs and reaches Temporal and the database, and that its activity is not paused in Temporal.'
    : `Its workflow could not be started yet: ${unsent}`;
}

/**
 * Accepts an operation, inside the caller's transaction; its resources are fixed when that commits. Returns its id and
 * the outbox message to send now. Throws PRECONDITION_FAILED if the number of matching resources is not the expected
 * one.
 */
export async function acceptOperation(
  trx: Db,
  operation: NewOperation,
): Promise<{ readonly id: string; readonly message: number }> {
  const id = uuidv7();
  const items = selectTargets(trx, operation).select(trx.raw('?::uuid', [id]), targetId(operation));
  const { rowCount: matched } = (await trx(trx.raw('operation_items (operation_id, resource_id)')).insert(
    items,
  )) as unknown as { readonly rowCount: number };
  const { expectedMatched } = operation;
  if (expectedMatched !== null && matched !== expectedMatched) {
    const message = `${matched} resources match now, not ${expectedMatched}. Nothing was changed.`;
    throw new ServiceError('PRECONDITION_FAILED', message, { matched });
  }
  await trx('operations').insert({
    id,
    action: operation.action,
    filter: toJsonText(operation.filter),
    from_step: toJsonText(operation.fromStep),
    metadata: toJsonText(operation.metadata),
    matched,
  });
  return { id, message: await enqueue(trx, 'OPERATION', id, null) };
}

/** One operation, or null. */
export async function findOperation(db: Db, id: string): Promise<Operation | null> {
  const row = (await selectOperations(db).where('o.id', id).first()) as OperationRow | undefined;
  return row === undefined ? null : fromRow(row);
}

/** A page of operations, newest first, after a position. */
export async function listOperations(db: Db, page: TimePage): Promise<Operation[]> {
  const rows: OperationRow[] = await selectOperations(db).modify(newestFirst(page, 'o.created_at', 'o.id'));
  return rows.map(fromRow);
}

/**
 * Ends an operation: completed items stay, no further ones are processed. Waits for items in progress. Does nothing if
 * it has already ended. Returns whether this call ended it. Throws NOT_FOUND.
 */
export async function cancelOperation(db: Db, id: string): Promise<boolean> {
  const changed: number = await db('operations')
    .where({ id, status: 'RUNNING' })
    .update({ status: 'CANCELLED', finished_at: db.fn.now() });
  if (changed === 0 && (await findOperation(db, id)) === null)
    throw new ServiceError('NOT_FOUND', `There is no operation ${id}.`);
  return changed > 0;
}
