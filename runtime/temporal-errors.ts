import { isGrpcServiceError } from '@temporalio/client';
import { messageOf } from '../core/errors.js';

// gRPC: 1 CANCELLED, 4 DEADLINE_EXCEEDED, 8 RESOURCE_EXHAUSTED, 14 UNAVAILABLE.
const unavailableCodes = new Set([1, 4, 8, 14]);

/** Whether a call failed because Temporal cannot be reached, or does not answer in time. */
export function isUnavailable(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (isGrpcServiceError(cause) && unavailableCodes.has(cause.code)) return true;
  }
  return false;
}

/** Whether a namespace refused a search attribute that it does not know. */
export function isUnknownAttribute(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (/search attribute/i.test(messageOf(cause))) return true;
  }
  return false;
}
