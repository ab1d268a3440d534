import { maxDetailsBytes, type FailureReport, type ValidationFinding } from './report.js';
import { messageOf } from './text.js';

/** The rules for a report of a failure that a JSON Schema does not say. */
export function checkFailure(report: FailureReport): ValidationFinding[] {
  if (Buffer.byteLength(JSON.stringify(report.error?.details ?? {})) <= maxDetailsBytes) return [];
  return [{ path: '/error/details', message: `must be at most ${maxDetailsBytes} bytes as JSON` }];
}

/**
 * Details as they can be sent and kept: a copy of them or, where they are longer than `maxDetailsBytes` or are no JSON, a
 * note that they were left out. They must not hide the failure they belong to.
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
