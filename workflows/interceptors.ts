import { defaultPayloadConverter } from '@temporalio/common';
import { workflowInfo, type WorkflowInterceptors } from '@temporalio/workflow';
import { requestIdHeader } from '@knowledge-warehouse/plugin/protocol';
import { requestIdMemo } from '../core/runs/run-protocol.js';

function requestId(): string | undefined {
  const id = workflowInfo().memo?.[requestIdMemo];
  return typeof id === 'string' ? id : undefined;
}

function withRequestId<Input extends { readonly headers: object }>(input: Input): Input {
  const id = requestId();
  if (id === undefined) return input;
  const header = { [requestIdHeader]: defaultPayloadConverter.toPayload(id) };
  return { ...input, headers: { ...input.headers, ...header } };
}

/**
 * Copies the id of the originating request from the workflow's memo into its logs and activities. Replay does
 * not compare headers, so existing histories stay valid.
 */
export const interceptors = (): WorkflowInterceptors => {
  let about: Record<string, unknown> = {};
  return {
    inbound: [
      {
        execute(input, next) {
          const [given] = input.args as [{ resourceId?: unknown; run?: unknown } | null | undefined];
          const { resourceId, run } = given ?? {};
          about = { resource_id: resourceId, run, request_id: requestId() };
          return next(input);
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next(withRequestId(input)),
        scheduleLocalActivity: (input, next) => next(withRequestId(input)),
        getLogAttributes: (input, next) => next({ ...input, ...about }),
      },
    ],
  };
};
