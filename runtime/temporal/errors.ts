import { status } from '@grpc/grpc-js';
import { isGrpcServiceError, NamespaceNotFoundError } from '@temporalio/client';
import { messageOf, ServiceError } from '../../core/errors.js';

// gRPC: 1 CANCELLED, 4 DEADLINE_EXCEEDED, 8 RESOURCE_EXHAUSTED, 14 UNAVAILABLE.
const unavailableCodes = new Set([1, 4, 8, 14]);

/** Whether a call failed because Temporal is unreachable or did not answer in time. */
export function isUnavailable(error: unknown): boolean {
  return causesOf(error).some((cause) => isGrpcServiceError(cause) && unavailableCodes.has(cause.code));
}

const refusedCodes = new Set<number>([status.PERMISSION_DENIED, status.UNAUTHENTICATED]);

/** Whether a call failed for a reason that fails all others: an outage, missing access, or a missing namespace. */
export function failsAllCalls(error: unknown): boolean {
  return causesOf(error).some(
    (cause) =>
      cause instanceof NamespaceNotFoundError ||
      (isGrpcServiceError(cause) &&
        (unavailableCodes.has(cause.code) ||
          refusedCodes.has(cause.code) ||
          (cause.code === status.NOT_FOUND && isNamespaceMissing(cause)))),
  );
}

/** Temporal uses the code of a missing workflow, and names the difference in the details of the error. */
export function isNamespaceMissing({
  metadata,
}: {
  readonly metadata: { get(key: string): unknown[] };
}): boolean {
  return metadata
    .get('grpc-status-details-bin')
    .some((details) => String(details).includes('NamespaceNotFoundFailure'));
}

/** An error, its cause, the cause of that, and so on. */
export function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause) causes.push(cause);
  return causes;
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
