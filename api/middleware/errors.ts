import type { Middleware } from 'koa';
import type { ServiceError } from '../../core/errors.js';
import type { Logger } from '../../runtime/logging/logger.js';
import { toServiceError } from '../reply/service-error.js';
import type { ApiState } from './request-id.js';

/**
 * Seconds until a retry makes sense: a dependency is down, the first request is still in progress, or the
 * minute of the limit ends.
 */
const retryAfter = (error: ServiceError): string | null => {
  if (error.code === 'IDEMPOTENCY_IN_PROGRESS') return '1';
  if (error.code === 'RATE_LIMITED') return String(error.details['retry_after_seconds']);
  return error.status === 503 ? '5' : null;
};

/** The error body that all routes share. */
const envelope = ({ code, message, details }: ServiceError): object => ({
  error: { code, message, details },
});

/**
 * Renders thrown errors as the envelope, or in the route's own format. Anything but a ServiceError is logged
 * and hidden.
 */
export function renderErrors(log: Logger): Middleware<ApiState> {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const error = toServiceError(log, thrown);
      ctx.status = error.status;
      ctx.type = 'application/json';
      ctx.body = (ctx.state.errorBody ?? envelope)(error);
      const seconds = retryAfter(error);
      if (seconds !== null) ctx.set('Retry-After', seconds);
      if (error.code === 'RANGE_NOT_SATISFIABLE')
        ctx.set('Content-Range', `bytes */${String(error.details['size'])}`);
      if (error.status === 401) ctx.set('WWW-Authenticate', 'Bearer');
    }
  };
}
