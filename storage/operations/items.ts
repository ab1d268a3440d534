import { ServiceError, type ErrorCode } from '../../core/errors.js';
import type { ResourceMetadata } from '../../core/resources/metadata.js';
import type { OperationAction } from '../../core/operations.js';
import type { Origin } from '../../core/origin.js';
import type { Db } from '../database/connection.js';
import { fromJsonText } from '../database/json-text.js';
import { prepared } from '../database/prepared.js';
import { editResource } from '../resources/edit-resource.js';
import { noteOrigin } from '../outbox.js';
import { cancelResource, deleteResource, reprocessResource } from '../transitions/resource-requests.js';

/** The action of an operation on each of its resources. */
export interface ItemAction {
  readonly action: OperationAction;
  readonly fromStep: number | 'failed' | null;
  /** A merge patch, or null for other actions. */
  readonly metadata: { readonly patch: ResourceMetadata | null } | null;
  readonly origin: Origin;
}

/** The result for a resource: SKIPPED because of its state, or FAILED. */
type Outcome =
  | { readonly outcome: 'DONE'; readonly message: number | null }
  | { readonly outcome: 'SKIPPED' | 'FAILED'; readonly code: ErrorCode };

/** The columns of an operation that say what to do. */
interface ActionRow {
  readonly id: string;
  readonly action: OperationAction;
  readonly from_step: string | null;
  readonly metadata: string | null;
  readonly origin: string | null;
}

const toItemAction = ({ id, action, from_step, metadata, origin }: ActionRow): ItemAction => ({
  action,
  fromStep: fromJsonText<number | 'failed'>(from_step),
  metadata: fromJsonText<{ readonly patch: ResourceMetadata | null }>(metadata),
  origin: { ...fromJsonText<Origin>(origin), operation_id: id },
});

/** The action of a RUNNING operation; null if it is not RUNNING. */
export async function readItemAction(db: Db, id: string): Promise<ItemAction | null> {
  const row: ActionRow | undefined = await db('operations')
    .where({ id, status: 'RUNNING' })
    .first('id', 'action', 'from_step', 'metadata', 'origin');
  return row === undefined ? null : toItemAction(row);
}

/** Resources of an operation without an outcome, ordered by id, after a given one. */
export async function listOpenItems(
  db: Db,
  id: string,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<string[]> {
  const query = db('operation_items').where({ operation_id: id }).whereNull('outcome');
  // The ids come from requests, so even the smallest possible id may be one of them.
  if (after !== null) void query.where('resource_id', '>', after);
  return await query.orderBy('resource_id').limit(limit).pluck<string[]>('resource_id');
}

// A transaction that cancels the operation waits for this one, and vice versa.
const claim = prepared(
  'claim_operation_item',
  `select 1 from operations o join operation_items i on i.operation_id = o.id
   where o.id = ? and o.status = 'RUNNING' and i.resource_id = ? and i.outcome is null
   for share of o for update of i`,
);

/** Actions whose order matters: the last one decides the result. */
const edits: readonly OperationAction[] = ['enable', 'disable', 'set_metadata'];

// Items are locked newest first: one by `claim`, then the earlier ones here. In another order, two operations could
// deadlock.
const claimEarlierEdits = prepared<ActionRow>(
  'claim_earlier_edits',
  `select o.id, o.action, o.from_step, o.metadata, o.origin
   from operations o join operation_items i on i.operation_id = o.id
   where o.status = 'RUNNING' and o.action in ('enable', 'disable', 'set_metadata')
     and (o.created_at, o.id) < (select n.created_at, n.id from operations n where n.id = ?)
     and i.resource_id = ? and i.outcome is null
   order by o.created_at desc, o.id desc
   for share of o for update of i`,
);

const settle = prepared(
  'settle_operation_item',
  `with settled as (
     update operation_items set outcome = ? where operation_id = ? and resource_id = ? returning operation_id, outcome
   )
   insert into operation_counts as c (operation_id, outcome, code, count)
   select operation_id, outcome, ?, 1 from settled
   on conflict (operation_id, outcome, code) do update set count = c.count + 1`,
);

/**
 * Acts on one resource of an operation and records the outcome in one transaction. It happens only once, however often
 * and however concurrently it is requested. Edits by earlier operations come first, because operations that run at the
 * same time reach a resource in any order. Returns the outbox message to send now, or null.
 */
export async function carryOutItem(
  db: Db,
  id: string,
  resourceId: string,
  item: ItemAction,
): Promise<number | null> {
  return await db.transaction(async (trx) => {
    if ((await claim(trx, [id, resourceId])).length === 0) return null;
    const earlier = edits.includes(item.action) ? await claimEarlierEdits(trx, [id, resourceId]) : [];
    for (const row of earlier.toReversed()) await actAndSettle(trx, row.id, resourceId, toItemAction(row));
    return await actAndSettle(trx, id, resourceId, item);
  });
}

async function actAndSettle(
  trx: Db,
  id: string,
  resourceId: string,
  item: ItemAction,
): Promise<number | null> {
  await noteOrigin(trx, item.origin);
  const result = await tryAction(trx, resourceId, item);
  const code = result.outcome === 'DONE' ? '' : result.code;
  await settle(trx, [result.outcome, id, resourceId, code]);
  return result.outcome === 'DONE' ? result.message : null;
}

/** Records that the action failed for a resource because of an internal error. */
export async function failItem(db: Db, id: string, resourceId: string): Promise<void> {
  await db.transaction(async (trx) => {
    if ((await claim(trx, [id, resourceId])).length > 0)
      await settle(trx, ['FAILED', id, resourceId, 'INTERNAL']);
  });
}

/** Rules throw before they write anything, so the transaction can continue after a refusal. */
async function tryAction(trx: Db, resourceId: string, item: ItemAction): Promise<Outcome> {
  try {
    return { outcome: 'DONE', message: await act(trx, resourceId, item) };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status >= 500) throw error;
    // A 400 means that the request itself is invalid for this resource; any other refusal is due to its state.
    return { outcome: error.status === 400 ? 'FAILED' : 'SKIPPED', code: error.code };
  }
}

async function act(trx: Db, id: string, { action, fromStep, metadata }: ItemAction): Promise<number | null> {
  switch (action) {
    case 'reprocess':
      return await reprocessResource(trx, id, fromStep);
    case 'cancel':
      return await cancelResource(trx, id);
    case 'delete':
      return await deleteResource(trx, id);
    case 'set_metadata':
      await editResource(trx, id, metadata === null ? {} : { metadata: metadata.patch });
      return null;
    default:
      await editResource(trx, id, { is_enabled: action === 'enable' });
      return null;
  }
}
