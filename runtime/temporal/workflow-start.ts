import type { WorkflowStartOptions } from '@temporalio/client';
import { WorkflowIdReusePolicy } from '@temporalio/common';
import { runWorkflowId } from '../../core/ids.js';
import { operationWorkflowId, type RunOperationInput } from '../../core/operations.js';
import type { Origin } from '../../core/origin.js';
import {
  beginWith,
  cleanUpWorkflowId,
  coreTaskQueue,
  requestIdMemo,
  type CleanUpResourceInput,
  type ProcessResourceInput,
  type RunStart,
} from '../../core/runs/run-protocol.js';
import type { RunRef } from '../../core/runs/refs.js';
import { clipJson } from './clip.js';
import { runAttributes } from './search-attributes.js';

/** Maximum size of a summary as JSON: Temporal's limit is 400 bytes, including the payload around it. */
const largestSummary = 350;

export interface RunToStart extends RunStart, RunRef {
  /** Its request is stored in the memo, from which the run's log lines take it. */
  readonly origin: Origin | null;
}

/** The start options of a run's workflow, and the search attributes to add if the namespace accepts them. */
export function runStartOptions(
  { resourceId, run, name, type, steps, begins, queue, origin }: RunToStart,
  publicUrl: string,
): { readonly options: WorkflowStartOptions; readonly attributes: ReturnType<typeof runAttributes> } {
  const first = steps.find((step) => step.index === begins);
  const input: ProcessResourceInput = {
    ...{ resourceId, run, steps },
    ...(first !== undefined && { first: beginWith(first, publicUrl, queue) }),
  };
  const plugins = [...new Set(steps.map((step) => step.plugin_id))];
  return {
    options: {
      workflowId: runWorkflowId(resourceId, run),
      taskQueue: coreTaskQueue,
      args: [input],
      workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
      memo: {
        name,
        type,
        run,
        steps: plugins.join(' → '),
        resource: `${publicUrl}/api/v1/resources/${resourceId}`,
        ...requestMemo(origin),
      },
      ...priorityOf(origin),
      staticSummary: clipJson(`${name} (${type}), run ${run}`, largestSummary),
      staticDetails: steps.map((step) => `- step ${step.index}: \`${step.plugin_id}\``).join('\n'),
    },
    attributes: runAttributes({ resourceId, name, type, plugins }),
  };
}

export function cleanUpOptions(input: CleanUpResourceInput, origin: Origin | null): WorkflowStartOptions {
  return {
    workflowId: cleanUpWorkflowId(input),
    taskQueue: coreTaskQueue,
    args: [input],
    workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
    memo: requestMemo(origin),
    ...priorityOf(origin),
    staticSummary:
      input.run === undefined
        ? 'Clean up after a deleted resource'
        : `Clean up artifacts that run ${input.run} removed`,
  };
}

export function operationOptions(operationId: string, origin: Origin | null): WorkflowStartOptions {
  const input: RunOperationInput = { operationId };
  return {
    workflowId: operationWorkflowId(operationId),
    taskQueue: coreTaskQueue,
    args: [input],
    workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
    memo: requestMemo(origin),
    // Its activities have the priority of their work.
    priority: { priorityKey: 1 },
    staticSummary: 'Bulk operation',
  };
}

/** Temporal dispatches tasks with this priority after all tasks without one, which count as 3. */
const bulkPriority = { priorityKey: 5 };

/** Runs and clean-ups of bulk operations have the lowest priority. */
const priorityOf = (origin: Origin | null): Pick<WorkflowStartOptions, 'priority'> =>
  origin?.operation_id === undefined ? {} : { priority: bulkPriority };

/** The memo entry that tells a workflow which request caused it. */
function requestMemo(origin: Origin | null): Record<string, string> {
  return origin?.request_id === undefined ? {} : { [requestIdMemo]: origin.request_id };
}
