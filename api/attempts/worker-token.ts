import type { Context } from 'koa';
import { ServiceError } from '../../core/errors.js';
import type { AttemptRef } from '../../core/runs/refs.js';
import { readToken } from '../../core/secrets/token.js';
import { findResource, type Resource } from '../../storage/resources/resources.js';
import type { ApiDeps } from '../deps.js';

/** The subject of a worker's request, after its token was verified. */
export interface Admitted {
  readonly ref: AttemptRef;
  readonly resource: Resource;
}

/**
 * Admits a worker with a callback token for the resource in the path. Throws UNAUTHENTICATED without a valid
 * token, FORBIDDEN if it is for another resource, NOT_FOUND if the resource was deleted.
 */
export async function admitWorker(input: {
  readonly koa: Context;
  readonly deps: ApiDeps;
  readonly params: { readonly id: string };
}): Promise<Admitted> {
  const { koa, deps, params } = input;
  const token = /^Bearer +(\S+)$/i.exec(koa.get('authorization'))?.[1];
  const ref = token === undefined ? null : readToken(deps.config.secrets, token, deps.clock.now());
  if (ref === null) {
    throw new ServiceError('UNAUTHENTICATED', 'This request needs a valid callback token.');
  }
  const { resourceId: resource_id, run, stepIndex: step_index, attempt } = ref;
  deps.logFields.add({ resource_id, run, step_index, attempt });
  if (ref.resourceId !== params.id.toLowerCase())
    throw new ServiceError('FORBIDDEN', 'This token is bound to another resource.');
  const resource = await findResource(deps.db, ref.resourceId);
  if (resource === null) throw new ServiceError('NOT_FOUND', 'The resource was deleted.');
  return { ref, resource };
}
