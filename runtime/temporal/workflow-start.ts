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
} from '../../core/run-protocol.js';
import { clipJson } from './clip.js';
import { runAttributes } from './search-attributes.js';

/** Bytes of a summary's JSON: Temporal's limit is 400, of which the payload around it takes some. */
const largestSummary = 350;

/** What the workflow of a run is started with. */
export interface RunToStart extends RunStart {
  readonly resourceId: string;
  readonly run: number;
  /** Its request stands in the memo, where the logs of the run take it from. */
  readonly origin: Origin | null;
}

/** How the workflow of a run is started, and the search attributes that it has where the namespace takes them. */
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

/** How the workflow of a clean-up is started. */
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
        : `Clean up what run ${input.run} left out`,
  };
}

/** How the workflow of a bulk operation is started. */
export function operationOptions(operationId: string, origin: Origin | null): WorkflowStartOptions {
  const input: RunOperationInput = { operationId };
  return {
    workflowId: operationWorkflowId(operationId),
    taskQueue: coreTaskQueue,
    args: [input],
    workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
    memo: requestMemo(origin),
    priority: bulkPriority,
    staticSummary: 'Bulk operation',
  };
}

/** Temporal hands out what has this priority after all that has none, which counts as 3. */
const bulkPriority = { priorityKey: 5 };

/** Work of a bulk operation has the lowest priority. */
const priorityOf = (origin: Origin | null): Pick<WorkflowStartOptions, 'priority'> =>
  origin?.operation_id === undefined ? {} : { priority: bulkPriority };

/** The entry of a memo by which a workflow knows the request it comes from. */
function requestMemo(origin: Origin | null): Record<string, string> {
  return origin?.request_id === undefined ? {} : { [requestIdMemo]: origin.request_id };
}
