import type { Middleware } from 'koa';
import type { ServiceError } from '../../core/errors.js';
import { uuidv7 } from '../../core/ids.js';
import type { Client } from '../server/forwarded.js';
import type { LogFields } from '../../runtime/logging/log-fields.js';

/** What middleware leaves for what comes after it. */
export interface ApiState {
  requestId: string;
  client: Client;
  /** The route's path as it was declared, once one matched. */
  route?: string;
  /** The id of the API key, once it is known. */
  keyId?: string;
  /** The body of errors, where the route has one of its own. */
  errorBody?: (error: ServiceError) => object;
}

const acceptable = /^[A-Za-z0-9._-]{1,100}$/;

/** Gives the request its id, the caller's X-Request-Id where it has one; every line that it causes says so. */
export function requestId(logFields: LogFields): Middleware<ApiState> {
  return async (ctx, next) => {
    const given = ctx.get('x-request-id');
    const id = acceptable.test(given) ? given : uuidv7();
    ctx.state.requestId = id;
    ctx.set('X-Request-Id', id);
    await logFields.during({ request_id: id }, next);
  };
}
