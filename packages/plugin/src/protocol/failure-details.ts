import { maxDetailsBytes, type FailureReport, type ValidationFinding } from './report.js';
import { messageOf } from './text.js';

/** Checks the rules for a failure report that JSON Schema cannot express. */
export function checkFailure(report: FailureReport): ValidationFinding[] {
  if (Buffer.byteLength(JSON.stringify(report.error?.details ?? {})) <= maxDetailsBytes) return [];
  return [{ path: '/error/details', message: `must be at most ${maxDetailsBytes} bytes as JSON` }];
}

/**
 * Returns a copy of details that can be sent and stored. Details that are longer than `maxDetailsBytes` or cannot be
 * written as JSON are replaced by a note, so that they do not hide the failure that they belong to.
 */
export function fitDetails(details: Readonly<Record<string, unknown>>): Record<string, unknown> {
  try {
    const text = JSON.stringify(details);
    if (Buffer.byteLength(text) <= maxDetailsBytes) return JSON.parse(text) as Record<string, unknown>;
    return { left_out: `details of more than ${maxDetailsBytes} bytes` };
  } catch (error) {
    return { left_out: messageOf(error) };
  }
}
