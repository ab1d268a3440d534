import type { Context } from 'koa';
import { currentOrigin } from '../../runtime/logging/origin.js';
import { recordAudit, type AuditEntry } from '../../storage/audit.js';
import type { Db } from '../../storage/database/connection.js';
import { noteOrigin } from '../../storage/outbox.js';
import type { Principal } from '../auth/principal.js';
import type { ApiDeps } from '../deps.js';
import type { ApiState } from '../middleware/request-id.js';
import type { Change, ChangeNote, Reply, Route } from '../route.js';

/** A request that changes the database. */
export interface Call {
  readonly koa: Context;
  readonly deps: ApiDeps;
  readonly route: Route;
  readonly principal: Principal | null;
}

/** The transactions of one request. */
export interface Changes {
  readonly change: Change;
  /** Makes a change and its reply. The audit entry gets the id of the created object from the reply. */
  reply(work: (trx: Db) => Promise<Reply>): Promise<Reply>;
  /** Throws if the route made a change without these transactions. */
  assertRecorded(reply: Reply): void;
}

/** Whether changes by this route are audited: all except worker reports. */
const isAudited = ({ scope, audited = true }: Route): boolean => audited && scope !== 'token';

/** Whether a route counts as a change: all that require more than the scope `read`. */
const isChange = ({ method, scope }: Route): boolean => method !== 'GET' && scope !== 'read';

/**
 * Opens the transactions of a request. A transaction that changes something also writes its audit entry, so
 * neither exists without the other.
 */
export function createChanges({ koa, deps, route, principal }: Call): Changes {
  const params = koa['params'] as { readonly id?: string };
  let isRecorded = false;

  /** @param about Returns the content of the audit entry; null: nothing was changed. */
  const inTransaction = async <T>(
    work: (trx: Db) => Promise<T>,
    about: (made: T) => ChangeNote | null,
  ): Promise<T> =>
    await deps.db.transaction(async (trx) => {
      const origin = currentOrigin(deps.logFields);
      await noteOrigin(trx, origin);
      const made = await work(trx);
      const note = about(made);
      if (note !== null && isAudited(route)) {
        const { type = objectTypeOf(route), id = null } = note.object ?? {};
        await recordAudit(trx, {
          key: note.key ?? keyOf(principal),
          address: (koa.state as ApiState).client.address || null,
          action: note.action ?? route.operationId,
          object: { type, id: params.id ?? id },
          requestId: origin.request_id ?? null,
        });
      }
      isRecorded = true;
      return made;
    });

  return {
    change: (work, about = () => ({})) =>
      inTransaction(work, (made) => (made === null ? null : about(made as NonNullable<typeof made>))),
    reply: (work) => inTransaction(work, (reply) => (reply.unchanged === true ? null : noteOf(reply))),
    assertRecorded({ unchanged = false }) {
      if (isRecorded || unchanged || !isAudited(route) || !isChange(route)) return;
      throw new Error(`${route.operationId} has made its change outside of transact and change`);
    },
  };
}

const keyOf = (principal: Principal | null): AuditEntry['key'] =>
  principal && { id: principal.keyId, name: principal.keyName };

/** Returns the object type of a path: `/plugins/:id/config` → plugin. */
const objectTypeOf = ({ path }: Route): string => (path.split('/')[1] ?? '').replace(/s$/, '');

function noteOf({ body, note = {} }: Reply): ChangeNote {
  const hasId = typeof body === 'object' && 'id' in body && typeof body.id === 'string';
  return hasId ? { ...note, object: { id: body.id as string, ...note.object } } : note;
}
