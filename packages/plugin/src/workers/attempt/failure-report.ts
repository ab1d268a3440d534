import { clip } from '../../protocol/text.js';
import { reasonOf, textOf } from '../../reason-of.js';
import { fitDetails } from '../../protocol/failure-details.js';
import { isObject } from '../../protocol/write-only-places.js';
import type { FailureReport } from '../../protocol/report.js';
import { PluginFailure } from '../../plugin-failure.js';
import type { FailOptions } from '../../types.js';
import { CoreError } from '../core/core-error.js';

const longestCode = 100;
const longestMessage = 10_000;

/**
 * Returns the report of a failure. Values of a wrong type, which JavaScript allows, are converted: a failure that could
 * not be reported would last until the timeout.
 */
export function toFailureReport(error: unknown): FailureReport & { readonly error: object } {
  const message = clip(reasonOf(error), longestMessage);
  if (error instanceof CoreError)
    return { status: 'FAILURE', error: { code: error.code, message, retryable: !error.unreadable } };
  if (!(error instanceof PluginFailure))
    return { status: 'FAILURE', error: { code: 'STEP_FAILED', message } };
  const { retryable = true, retryAfterSeconds, details } = (error.options as FailOptions | null) ?? {};
  const pause = Number(retryAfterSeconds);
  return {
    status: 'FAILURE',
    error: {
      code: clip(textOf(error.code), longestCode) || 'STEP_FAILED',
      message,
      retryable: (retryable as unknown) !== false,
      ...(pause >= 0 && Number.isFinite(pause) && { retry_after_seconds: pause }),
      ...(details !== undefined && { details: fitDetails(isObject(details) ? details : { details }) }),
    },
  };
}
