import type { Principal } from '../auth/principal.js';
import type { ApiDeps } from '../deps.js';
import type { Transact } from '../route.js';

/** Who a message comes from, and what it may be answered with. */
export interface McpCall {
  readonly deps: ApiDeps;
  readonly principal: Principal;
  readonly transact: Transact;
  /** As the log knows the request. */
  readonly requestId: string;
}
