import { withTimeLimit } from '../../core/time-limit.js';
import type { ApiKeyRow } from '../../storage/auth/api-keys.js';
import { hashOfToken } from '../../storage/auth/random-token.js';
import { isDatabaseUnavailable } from '../../storage/database/connection.js';

const keptMs = 3_600_000;
const defaultPatienceMs = 2_000;

/**
 * Wraps a lookup of API keys for a route that must answer while the database is unavailable: a key that was found within
 * the last hour is then accepted, even if it has expired since.
 *
 * @param patienceMs How long the lookup of a key that was found before may take, in milliseconds.
 */
export function createKeptKeys(
  find: (text: string) => Promise<ApiKeyRow | null>,
  patienceMs = defaultPatienceMs,
): (text: string) => Promise<ApiKeyRow | null> {
  const kept = new Map<string, { readonly key: ApiKeyRow; readonly foundAt: number }>();
  return async (text) => {
    const hash = hashOfToken(text).toString('hex');
    const found = find(text).then((key) => {
      if (key === null) kept.delete(hash);
      else kept.set(hash, { key, foundAt: performance.now() });
      return key;
    });
    const known = kept.get(hash);
    if (known === undefined || performance.now() - known.foundAt > keptMs) return await found;
    const orKnown = found.catch((error: unknown) => {
      if (!isDatabaseUnavailable(error)) throw error;
      return known.key;
    });
    return await withTimeLimit(patienceMs, orKnown, () => known.key);
  };
}
