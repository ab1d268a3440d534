import { ProtocolErrorCode } from '#bundled/mcp-server';
import type { ErrorCode, ServiceError } from '../../core/errors.js';

/** The first code of JSON-RPC 2.0 (§5.1) that servers may define themselves. */
const serverError = -32_000;

const codes: Partial<Readonly<Record<ErrorCode, number>>> = {
  MALFORMED_BODY: ProtocolErrorCode.ParseError,
  VALIDATION_FAILED: ProtocolErrorCode.InvalidRequest,
  INTERNAL: ProtocolErrorCode.InternalError,
};

/** Returns the response body for a request that never became a protocol message and therefore has no id. */
export const jsonRpcError = (error: ServiceError): object => toErrorMessage(error, null);

/** Returns the response body for a protocol message, by its id. Its form is valid, so what is not valid is a parameter. */
export function answerWithError(error: ServiceError, id: string | number): object {
  return toErrorMessage(
    error,
    id,
    error.code === 'VALIDATION_FAILED' ? ProtocolErrorCode.InvalidParams : undefined,
  );
}

function toErrorMessage(
  { code, message, details }: ServiceError,
  id: string | number | null,
  number = codes[code] ?? serverError,
): object {
  return { jsonrpc: '2.0', id, error: { code: number, message, data: { code, details } } };
}

/** Returns an error as shown to a model: the code, the problem and, where helpful, what to do. No internal details. */
export function explainToModel(error: ServiceError, requestId: string): string {
  if (error.code === 'INTERNAL')
    return `INTERNAL: Something went wrong in the service. See its log for the request ${requestId}.`;
  const isAdvised = /\b[Tt]ry again\b|\bRun "kw /.test(error.message);
  const next = error.status === 503 && !isAdvised ? ' Try again in a few seconds.' : '';
  return `${error.code}: ${error.message}${next}`;
}
