import { isGrpcServiceError } from '@temporalio/client';

import { messageOf, ServiceError } from '../../core/errors.js';

// gRPC: 1 CANCELLED, 4 DEADLINE_EXCEEDED, 8 RESOURCE_EXHAUSTED, 14 UNAVAILABLE.
const unavailableCodes = new Set([1, 4, 8, 14]);

/** Whether a call failed because Temporal is unreachable or did not answer in time. */
export function isUnavailable(error: unknown): boolean {
  return grpcCodesOf(error).some((code) => unavailableCodes.has(code));
}

function grpcCodesOf(error: unknown): number[] {
  const codes: number[] = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (isGrpcServiceError(cause)) codes.push(cause.code);
  return codes;
}

/**
 * The message of an error for people: the innermost cause, since the SDK's own message only says that a call failed.
 * Our own errors are unchanged.
 */
export function reasonOf(error: unknown): string {
  let reason = error;
  while (reason instanceof Error && !(reason instanceof ServiceError) && reason.cause instanceof Error)
    reason = reason.cause;
  return messageOf(reason);
}
