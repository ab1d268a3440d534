import {
  ApplicationFailure,
  CancelledFailure,
  CancellationScope,
  condition,
  log,
} from '@temporalio/workflow';
import type { ProcessResourceInput } from '../core/runs/run-protocol.js';
import { refusedType, type FinalStatus } from '../core/states.js';
import { isProcessResourceInput } from '../core/runs/run-input.js';
import { ResourceRun } from './resource-run.js';

/**
 * Runs the steps of one resource in order. The workflow completes, fails or is cancelled like its run, so the
 * Web UI's list of workflows shows the true state.
 */
export async function processResource(
  input: ProcessResourceInput,
): Promise<{ readonly status: FinalStatus }> {
  if (!isProcessResourceInput(input))
    throw ApplicationFailure.nonRetryable('Refused: the input is not valid.', refusedType);
  log.info('the run begins', { steps: input.steps.length });
  const { status, code, message } = await new ResourceRun(input).carryOut();
  log.info('the run ends', { status, ...(code === null ? {} : { code }) });
  if (status === 'FAILED') throw ApplicationFailure.nonRetryable(message ?? status, code ?? status);
  if (status === 'CANCELLED') {
    // The row may know about the cancellation before the server does. The workflow must then end as
    // cancelled, not as failed.
    await condition(() => CancellationScope.current().consideredCancelled, '10 seconds').catch(
      () => undefined,
    );
    throw new CancelledFailure(message ?? 'The run was cancelled.');
  }
  return { status };
}
