import {
  ApplicationFailure,
  CancellationScope,
  continueAsNew,
  isCancellation,
  log,
  proxyActivities,
  setCurrentDetails,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import type { CoreActivities } from '../activities/index.js';
import {
  isRunOperationInput,
  sumOf,
  type ItemsCarriedOut,
  type OperationProgress,
  type RunOperationInput,
} from '../core/operations.js';
import { refusedType } from '../core/states.js';

/** An operation begins at once, and a cancellation goes ahead of what it cancels. All else comes after other work. */
const priorities = { prompt: 1, bulk: 5 } as const;

const carryOutWith = (priorityKey: number): CoreActivities['carryOutItems'] =>
  proxyActivities<CoreActivities>({
    startToCloseTimeout: '2 minutes',
    heartbeatTimeout: '10 seconds',
    retry: { initialInterval: '1 second', maximumInterval: '30 seconds' },
    priority: { priorityKey },
    summary: 'Carry out a part',
  }).carryOutItems;

const { endOperation } = proxyActivities<CoreActivities>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', maximumInterval: '30 seconds' },
});

/**
 * Executes a bulk operation in parts. The tables hold the remaining resources and the results. The workflow
 * only triggers another look at them, so losing, resetting or duplicating it is harmless.
 */
export async function runOperation(input: RunOperationInput): Promise<OperationProgress> {
  if (!isRunOperationInput(input))
    throw ApplicationFailure.nonRetryable('Refused: the input is not valid.', refusedType);
  const { operationId } = input;
  let after = input.after ?? null;
  let carryOutItems = carryOutWith(priorities.prompt);
  try {
    for (;;) {
      const { after: next, ...part } = await carryOutItems({ operationId, after });
      carryOutItems = carryOutWith(part.action === 'cancel' ? priorities.prompt : priorities.bulk);
      show(part);
      if (part.status !== 'RUNNING') {
        log.info('the operation ends', { operation_id: operationId, status: part.status });
        return part;
      }
      after = next;
      if (workflowInfo().continueAsNewSuggested)
        await continueAsNew<typeof runOperation>({ operationId, ...(after !== null && { after }) });
    }
  } catch (error) {
    // Cancelled from outside, for example in the Web UI: cancel the operation too.
    if (isCancellation(error)) await CancellationScope.nonCancellable(() => endOperation({ operationId }));
    throw error;
  }
}

function show({ action, status, matched, done, skipped, failed }: Omit<ItemsCarriedOut, 'after'>): void {
  const counts = { matched, done, skipped: sumOf(skipped), failed: sumOf(failed) };
  upsertMemo({ status, ...counts });
  const codes = Object.entries({ ...skipped, ...failed }).map(([code, count]) => `- \`${code}\`: ${count}`);
  const totals = `${done} done, ${counts.skipped} skipped and ${counts.failed} failed of ${matched}`;
  setCurrentDetails([`\`${action}\`, ${status}: ${totals}.`, ...codes].join('\n'));
}
