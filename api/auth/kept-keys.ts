import type { ApiKeyRow } from '../../storage/auth/api-keys.js';
import { hashOfToken } from '../../storage/auth/random-token.js';
import { isDatabaseUnavailable } from '../../storage/database/connection.js';

const keptMs = 3_600_000;

/**
 * Wraps a lookup of API keys for a route that must answer while the database is unavailable: a key that was found within
 * the last hour is then accepted, even if it has expired since.
 */
export function createKeptKeys(
  find: (text: string) => Promise<ApiKeyRow | null>,
): (text: string) => Promise<ApiKeyRow | null> {
  const kept = new Map<string, { readonly key: ApiKeyRow; readonly foundAt: number }>();
  return async (text) => {
    const hash = hashOfToken(text).toString('hex');
    try {
      const key = await find(text);
      if (key === null) kept.delete(hash);
      else kept.set(hash, { key, foundAt: performance.now() });
      return key;
    } catch (error) {
      const known = kept.get(hash);
      if (known === undefined || !isDatabaseUnavailable(error)) throw error;
      if (performance.now() - known.foundAt > keptMs) throw error;
      return known.key;
    }
  };
}
