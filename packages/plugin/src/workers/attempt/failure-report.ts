import { clip } from '../../protocol/text.js';
import { messageOf } from '../../protocol/text.js';
import { fitDetails } from '../../protocol/failure-details.js';
import type { FailureReport } from '../../protocol/report.js';
import { PluginFailure } from '../../plugin-failure.js';
import { CoreError } from '../core/core-error.js';

const longestCode = 100;
const longestMessage = 10_000;

export function toFailureReport(error: unknown): FailureReport & { readonly error: object } {
  const message = clip(messageOf(error), longestMessage);
  if (error instanceof CoreError)
    return { status: 'FAILURE', error: { code: error.code, message, retryable: !error.unreadable } };
  if (!(error instanceof PluginFailure))
    return { status: 'FAILURE', error: { code: 'STEP_FAILED', message } };
  const { retryable = true, retryAfterSeconds = Number.NaN, details } = error.options;
  return {
    status: 'FAILURE',
    error: {
      code: clip(error.code, longestCode) || 'STEP_FAILED',
      message,
      retryable,
      ...(retryAfterSeconds >= 0 && Number.isFinite(retryAfterSeconds)
        ? { retry_after_seconds: retryAfterSeconds }
        : {}),
      ...(details !== undefined && { details: fitDetails(details) }),
    },
  };
}
