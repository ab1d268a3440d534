import { ServiceError } from '../core/errors.js';
import { withTimeLimit } from '../core/time-limit.js';
import type { Deps } from './deps.js';

export type PartCheck = { readonly status: 'ok' } | { readonly status: 'error'; readonly message: string };

/** Checks each part that the service needs. One that does not answer within two seconds cannot be used. */
export type CheckParts = () => Promise<
  Readonly<Record<'postgresql' | 'temporal' | 'object_store', PartCheck>>
>;

type PartDeps = Pick<Deps, 'checkDatabase' | 'objectStore' | 'workflows' | 'log'>;

/** Milliseconds that results are kept. */
const freshMs = 1_000;
const patienceMs = 2_000;
const ok = { status: 'ok' } as const;
const late = { status: 'error', message: 'It does not answer in time.' } as const;

/**
 * Checks the parts once for all concurrent or closely following callers: anyone may ask, and each check of the store
 * writes to it.
 */
export function createCheckParts(deps: PartDeps): CheckParts {
  let shared: ReturnType<CheckParts> | null = null;
  return async () => {
    shared ??= checkParts(deps).finally(() => setTimeout(() => (shared = null), freshMs).unref());
    return await shared;
  };
}

async function checkParts(deps: PartDeps): ReturnType<CheckParts> {
  const { objectStore, workflows, log } = deps;
  const check = async (work: () => Promise<void>): Promise<PartCheck> => {
    try {
      const checked = work().then(() => ok);
      return await withTimeLimit(patienceMs, checked, () => late);
    } catch (err) {
      log.debug({ err }, 'not ready');
      // Error texts of other systems may contain host and user names, so only the log has them.
      const message = err instanceof ServiceError ? err.message : 'It cannot be used.';
      return { status: 'error', message };
    }
  };
  const [postgresql, temporal, object_store] = await Promise.all([
    check(() => deps.checkDatabase()),
    check(() => workflows.check()),
    check(() => objectStore.check()),
  ]);
  return { postgresql, temporal, object_store };
}
