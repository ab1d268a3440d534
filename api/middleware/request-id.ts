import type { Middleware } from 'koa';
import type { ServiceError } from '../../core/errors.js';
import { uuidv7 } from '../../core/ids.js';
import type { Client } from '../server/forwarded.js';
import type { LogFields } from '../../runtime/logging/log-fields.js';

/** State that middleware sets for later middleware. */
export interface ApiState {
  requestId: string;
  client: Client;
  /** The matched route's path as declared. */
  route?: string;
  /** The id of the API key, after authentication. */
  keyId?: string;
  /** Renders the error body of a route with its own format. */
  errorBody?: (error: ServiceError) => object;
}

const acceptable = /^[A-Za-z0-9._-]{1,100}$/;

/** Sets the request's id: the caller's X-Request-Id, or a new one. All log lines of the request include it. */
export function requestId(logFields: LogFields): Middleware<ApiState> {
  return async (ctx, next) => {
    const given = ctx.get('x-request-id');
    const id = acceptable.test(given) ? given : uuidv7();
    ctx.state.requestId = id;
    ctx.set('X-Request-Id', id);
    await logFields.during({ request_id: id }, next);
  };
}
