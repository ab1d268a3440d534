import type { Principal } from '../auth/principal.js';
import type { ApiDeps } from '../deps.js';
import type { Transact } from '../route.js';

/** The sender of a message, and how it may be answered. */
export interface McpCall {
  readonly deps: ApiDeps;
  readonly principal: Principal;
  readonly transact: Transact;
  /** As the log knows the request. */
  readonly requestId: string;
}
