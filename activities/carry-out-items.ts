import { Context } from '@temporalio/activity';
import pLimit from 'p-limit';
import type { ItemsCarriedOut, RunOperationInput } from '../core/operations.js';
import type { Deps } from '../runtime/deps.js';
import { isDatabaseUnavailable } from '../storage/database/connection.js';
import {
  carryOutItem,
  failItem,
  listOpenItems,
  readItemAction,
  type ItemAction,
} from '../storage/operations/items.js';
import { cancelOperation, findOperation } from '../storage/operations/operations.js';
import { completeOperation, noteProgress } from '../storage/operations/progress.js';
import { refused } from './activity-errors.js';
import { startHeartbeat } from './attempt-errors.js';

/** Few at a time, so that connections to the database and Temporal stay free for who waits for an answer. */
const atOnce = 4;
const chunk = 40;
/** How long one call goes on before the workflow shows how far it is. */
const partMs = 5_000;

/** The activities by which a workflow carries out an operation. */
export interface OperationActivities {
  /** Carries out a part of what is left, from behind a resource, and says where to go on. */
  carryOutItems(input: {
    readonly operationId: string;
    readonly after: string | null;
  }): Promise<ItemsCarriedOut>;
  /** Ends an operation as CANCELLED. */
  endOperation(input: RunOperationInput): Promise<void>;
}

export function createOperationActivities(deps: Deps): OperationActivities {
  const { db, log, outbox } = deps;

  const carryOut = async (operationId: string, resourceId: string, item: ItemAction): Promise<void> => {
    try {
      outbox.sendSoon(await carryOutItem(db, operationId, resourceId, item));
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      log.error({ err: error, operation_id: operationId, resource_id: resourceId }, 'an action failed');
      await failItem(db, operationId, resourceId);
    }
  };

  /** Carries out some of what is left. Returns the last resource of these, or null when none is left behind `after`. */
  const carryOutChunk = async (
    operationId: string,
    after: string | null,
    item: ItemAction,
  ): Promise<string | null> => {
    const ids = await listOpenItems(db, operationId, { after, limit: chunk });
    const limit = pLimit(atOnce);
    await Promise.all(ids.map((id) => limit(() => carryOut(operationId, id, item)))).catch(
      (error: unknown) => {
        limit.clearQueue();
        throw error;
      },
    );
    // Nothing more is begun before these runs and clean-ups are with Temporal.
    await outbox.idle();
    if (ids.length > 0) await noteProgress(db, operationId);
    return ids.at(-1) ?? null;
  };

  /** Carries out chunks for some seconds, or to the end. Returns the resource from behind which to go on. */
  const carryOutPart = async (
    operationId: string,
    begin: string | null,
    signal: AbortSignal,
  ): Promise<string | null> => {
    const end = performance.now() + partMs;
    let after = begin;
    while (performance.now() < end && !signal.aborted) {
      const item = await readItemAction(db, operationId);
      if (item === null) break;
      const last = await carryOutChunk(operationId, after, item);
      if (last === null && (await completeOperation(db, operationId))) break;
      // Nothing is left behind `after`, but something before it, which a process that died had taken: from the beginning.
      after = last;
    }
    return after;
  };

  return {
    async carryOutItems({ operationId, after: begin }) {
      const context = Context.current();
      const stopHeartbeat = startHeartbeat(context);
      try {
        const after = await carryOutPart(operationId, begin, context.cancellationSignal);
        context.cancellationSignal.throwIfAborted();
        const operation = await findOperation(db, operationId);
        if (operation === null) throw refused('there is no such operation.');
        const { action, status, matched, done, skipped, failed } = operation;
        return { action, status, matched, done, skipped, failed, after };
      } finally {
        stopHeartbeat();
      }
    },
    async endOperation({ operationId }) {
      await cancelOperation(db, operationId);
    },
  };
}
