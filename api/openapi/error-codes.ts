import type { ErrorCode } from '../../core/errors.js';
import { refusalCode } from '../server/refusals.js';
import type { Route } from '../route.js';
import { takesIfMatch } from './headers.js';

/**
 * Returns every error code that a route may answer with: those it declares, and those that follow from its other
 * settings.
 */
export function errorCodesOf(route: Route): readonly ErrorCode[] {
  const codes = new Set<ErrorCode>(route.errors ?? []);
  const add = (condition: boolean, ...more: readonly ErrorCode[]): void => {
    if (condition) more.forEach((code) => codes.add(code));
  };
  const isOpen = route.scope === 'open';
  add(!isOpen, 'UNAUTHENTICATED', 'FORBIDDEN', 'DATABASE_UNAVAILABLE');
  add(!isOpen && route.scope !== 'token', 'RATE_LIMITED');
  // All routes below /api reject unknown query parameters.
  add(route.atRoot !== true, 'VALIDATION_FAILED');
  add(route.params !== undefined, 'NOT_FOUND');
  add(route.body !== undefined, 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  add(route.multipart !== undefined, 'STORAGE_UNAVAILABLE');
  add(route.idempotent === true, 'IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_MISMATCH');
  add(takesIfMatch(route), 'PRECONDITION_FAILED');
  add(true, refusalCode, 'INTERNAL');
  return [...codes];
}
