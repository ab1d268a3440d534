import { messageOf, ServiceError, type ErrorCode } from '../../core/errors.js';
import type { Deps } from '../../runtime/deps.js';
import { checkDatabase } from '../../storage/database/connection.js';
import { withTimeLimit } from './time-limit.js';

const patienceMs = 2_000;

/** Whether a dependency is usable, and the error code if not. */
export interface Checked {
  readonly shown: { readonly status: 'ok' } | { readonly status: 'error'; readonly message: string };
  readonly code: ErrorCode | null;
}

/** Checks each required dependency and returns whether it answers in time. */
export async function checkParts(
  deps: Deps,
): Promise<Readonly<Record<'postgresql' | 'temporal' | 'object_store', Checked>>> {
  const { db, objectStore, workflows } = deps;
  const [postgresql, temporal, object_store] = await Promise.all([
    check(deps, 'DATABASE_UNAVAILABLE', () => deps.secretGuard.ensure().then(() => checkDatabase(db))),
    check(deps, 'TEMPORAL_UNAVAILABLE', () => workflows.check()),
    check(deps, 'STORAGE_UNAVAILABLE', () => objectStore.check()),
  ]);
  return { postgresql, temporal, object_store };
}

async function check({ log }: Deps, code: ErrorCode, work: () => Promise<void>): Promise<Checked> {
  try {
    await withTimeLimit(patienceMs, work());
    return { shown: { status: 'ok' }, code: null };
  } catch (err) {
    log.debug({ err }, 'not ready');
    // Error texts of other systems may contain host and user names, so only the log has them.
    const message =
      err instanceof ServiceError
        ? err.message
        : messageOf(err) === 'late'
          ? 'It does not answer in time.'
          : 'It cannot be used.';
    return { shown: { status: 'error', message }, code };
  }
}
