import { setTimeout as pause } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
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

/** Resources that are read at once. They are handled one after the other: several runs that start together delay requests. */
const chunk = 5;
/** Resources that are cancelled at once. */
const cancelled = 50;
/** After each resource, an operation pauses for this multiple of the time that the resource took, up to a limit. */
const restFactor = 2;
const longestRestMs = 2_000;
/** Duration of one call, after which the workflow reports progress. */
const partMs = 5_000;

/** One call: when it ends, by `performance.now()`, and what ends it earlier. */
interface Part {
  readonly end: number;
  readonly signal: AbortSignal;
}

/** The activities by which a workflow executes an operation. */
export interface OperationActivities {
  /** Handles some of the remaining resources after the given one and returns where to continue. */
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

  /** Handles resources one after the other, with pauses, until the end of the part. Returns the last one. */
  const inTurn = async (
    ids: readonly string[],
    carryOutOne: (id: string) => Promise<void>,
    { end, signal }: Part,
  ): Promise<string | null> => {
    let last: string | null = null;
    for (const id of ids) {
      if (signal.aborted) break;
      const begun = performance.now();
      await carryOutOne(id);
      // Wait until Temporal has this run or clean-up before starting the next.
      await outbox.idle();
      last = id;
      // Requests come first: a slow service gets longer pauses.
      const restMs = Math.min(longestRestMs, restFactor * (performance.now() - begun));
      await pause(restMs, undefined, { signal }).catch(() => undefined);
      // The progress of slow resources must be noted before the operation counts as stalled.
      if (performance.now() >= end) break;
    }
    return last;
  };

  /** Handles one chunk. Returns its last resource, or null if nothing is left after `after`. */
  const carryOutChunk = async (
    operationId: string,
    after: string | null,
    item: ItemAction,
    part: Part,
  ): Promise<string | null> => {
    const isCancel = item.action === 'cancel';
    const ids = await listOpenItems(db, operationId, { after, limit: isCancel ? cancelled : chunk });
    const carryOutOne = (id: string): Promise<void> => carryOut(operationId, id, item);
    if (!isCancel) return await inTurn(ids, carryOutOne, part);
    // All at once and without pauses: a cancellation is useless after the work, and it reduces the load.
    await Promise.all(ids.map(carryOutOne));
    await outbox.idle();
    return ids.at(-1) ?? null;
  };

  /** Handles chunks for some seconds or until the end. Returns the resource to continue after. */
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
      const last = await carryOutChunk(operationId, after, item, { end, signal });
      if (last !== null) await noteProgress(db, operationId);
      if (last === null && (await completeOperation(db, operationId))) break;
      // Nothing is left after `after`, but a process that died may have left items before it: start over.
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
