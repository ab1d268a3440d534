import { messageOf } from '../../../core/errors.js';
import type { FailureReport } from '../../../core/wire/report.js';
import { PluginFailure } from '../define-plugin.js';
import { CoreError } from './core-error.js';

const longestCode = 100;
const longestMessage = 10_000;
/** The longest details, in bytes of JSON. */
const longestDetails = 64 * 1024;

/** The report of anything that a plugin threw. */
export function toFailureReport(error: unknown): FailureReport & { readonly error: object } {
  const message = messageOf(error).slice(0, longestMessage).toWellFormed();
  if (error instanceof CoreError) return { status: 'FAILURE', error: { code: error.code, message } };
  if (!(error instanceof PluginFailure))
    return { status: 'FAILURE', error: { code: 'STEP_FAILED', message } };
  const { retryable = true, retryAfterSeconds = Number.NaN, details } = error.options;
  return {
    status: 'FAILURE',
    error: {
      code: error.code.slice(0, longestCode) || 'STEP_FAILED',
      message,
      retryable,
      ...(retryAfterSeconds >= 0 && Number.isFinite(retryAfterSeconds)
        ? { retry_after_seconds: retryAfterSeconds }
        : {}),
      ...(details !== undefined && { details: safe(details) }),
    },
  };
}

/** What cannot be sent must not hide the failure it belongs to. */
function safe(details: Record<string, unknown>): Record<string, unknown> {
  try {
    const text = JSON.stringify(details);
    if (Buffer.byteLength(text) <= longestDetails) return JSON.parse(text) as Record<string, unknown>;
    return { left_out: `details of more than ${longestDetails} bytes` };
  } catch (error) {
    return { left_out: messageOf(error) };
  }
}
