import assert from 'node:assert/strict';
import { createApiKey } from '../../storage/auth/api-keys.js';
import type { Answer, CallOptions, TestApi } from './api.js';

/** Sessions of an API, as a browser has them. */
export interface Sessions {
  /** Asks for one; from a page of the API's own unless other headers are given. */
  readonly logIn: (body: unknown, headers?: Readonly<Record<string, string>>) => Promise<Answer>;
  readonly show: (cookie: string) => Promise<Answer>;
  /** A new key. */
  readonly make: (...scopes: string[]) => Promise<{ id: string; key: string }>;
  /** A session of a new key, by its cookie. */
  readonly begin: (scope?: string) => Promise<{ keyId: string; cookie: string }>;
  /** What the table has of a key's sessions. */
  readonly rowsOf: (apiKeyId: string) => Promise<Record<string, Date & Buffer>[]>;
}

/** What a page elsewhere sends. */
export const loginHeaders = { origin: 'http://elsewhere.example' };

export function createSessions(api: TestApi): Sessions {
  const logIn: Sessions['logIn'] = (body, headers = { origin: api.base }) =>
    api.call('POST', '/session', body, { bearer: null, headers });
  const make: Sessions['make'] = async (...scopes) =>
    await createApiKey(api.deps.db, { name: 'Ada', scopes });
  return {
    logIn,
    make,
    show: (cookie) => api.call('GET', '/session', undefined, by(cookie)),
    async begin(scope = 'admin') {
      const { id, key } = await make(scope);
      return { keyId: id, cookie: cookieOf(await logIn({ api_key: key })) };
    },
    rowsOf: async (api_key_id) => await api.deps.db('sessions').where({ api_key_id }),
  };
}

/** The cookie that an answer sets. */
export function cookieOf({ headers }: Answer): string {
  return headers.get('set-cookie')?.split(';')[0] ?? '';
}

/** How a browser calls that has a cookie, and no key. */
export function by(cookie: string, headers: Readonly<Record<string, string>> = {}): CallOptions {
  return { bearer: null, headers: { cookie, ...headers } };
}

/** Asserts that a time is so many hours from now. */
export function assertHoursFromNow(date: Date, expected: number): void {
  const hours = (date.getTime() - Date.now()) / 3_600_000;
  assert.ok(Math.abs(hours - expected) < 0.1, `${hours} h`);
}
