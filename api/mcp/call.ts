import type { Principal } from '../auth/principal.js';
import type { ApiDeps } from '../deps.js';
import type { Transact } from '../route.js';

/** The sender of a message, and what is needed to answer it. */
export interface McpCall {
  readonly deps: ApiDeps;
  readonly principal: Principal;
  readonly transact: Transact;
  /** The request's id in the log. */
  readonly requestId: string;
}
