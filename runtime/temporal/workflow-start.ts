import type { WorkflowStartOptions } from '@temporalio/client';
import { WorkflowIdReusePolicy } from '@temporalio/common';
import { runWorkflowId } from '../../core/ids.js';
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
  /** Of the request that asked for it: it stands in the memo, where the logs of the run take it from. */
  readonly requestId: string | null;
}

/** How the workflow of a run is started, and the search attributes that it has where the namespace takes them. */
export function runStartOptions(
  { resourceId, run, name, type, steps, begins, queue, requestId }: RunToStart,
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
        ...requestMemo(requestId),
      },
      staticSummary: clipJson(`${name} (${type}), run ${run}`, largestSummary),
      staticDetails: steps.map((step) => `- step ${step.index}: \`${step.plugin_id}\``).join('\n'),
    },
    attributes: runAttributes({ resourceId, name, type, plugins }),
  };
}

/** How the workflow of a clean-up is started. */
export function cleanUpOptions(input: CleanUpResourceInput, requestId: string | null): WorkflowStartOptions {
  return {
    workflowId: cleanUpWorkflowId(input),
    taskQueue: coreTaskQueue,
    args: [input],
    workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
    memo: requestMemo(requestId),
    staticSummary:
      input.run === undefined
        ? 'Clean up after a deleted resource'
        : `Clean up what run ${input.run} left out`,
  };
}

/** The entry of a memo by which a workflow knows the request it comes from. */
function requestMemo(requestId: string | null): Record<string, string> {
  return requestId === null ? {} : { [requestIdMemo]: requestId };
}
