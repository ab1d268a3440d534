import { STATUS_CODES } from 'node:http';
import type { ErrorCode } from '../../core/errors.js';

/** The error code of all responses that are sent before the application sees a request. */
export const refusalCode: ErrorCode = 'MALFORMED_BODY';

/** Responses that are sent before the application sees a request: status → message. */
export const refusals = {
  400: 'This is not a valid HTTP request.',
  408: 'The request did not arrive in time.',
  414: 'The URL is too long.',
  417: 'The only supported expectation is 100-continue.',
  431: 'There are too many headers, or they are too long.',
} as const;

export type RefusalStatus = keyof typeof refusals;

/** Renders a response to a request that the application does not see. It closes the connection. */
export function renderRefusal(status: RefusalStatus): string {
  const body = JSON.stringify({ error: { code: refusalCode, message: refusals[status], details: {} } });
  return (
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nContent-Type: application/json; charset=utf-8\r\n` +
    "X-Content-Type-Options: nosniff\r\nContent-Security-Policy: default-src 'none'\r\n" +
    `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`
  );
}
