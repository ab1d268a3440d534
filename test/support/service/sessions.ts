import assert from 'node:assert/strict';
import { createApiKey } from '../../../storage/auth/api-keys.js';
import type { Answer, CallOptions, TestApi } from './api.js';

/** Browser sessions of an API. */
export interface Sessions {
  /** Logs in, from a page of the API's own origin unless other headers are given. */
  readonly logIn: (body: unknown, headers?: Readonly<Record<string, string>>) => Promise<Answer>;
  readonly show: (cookie: string) => Promise<Answer>;
  /** Creates a key. */
  readonly make: (...scopes: string[]) => Promise<{ id: string; key: string }>;
  /** Opens a session with a new key. Returns its cookie. */
  readonly begin: (scope?: string) => Promise<{ keyId: string; cookie: string }>;
  /** Returns the rows of a key's sessions. */
  readonly rowsOf: (apiKeyId: string) => Promise<Record<string, Date & Buffer>[]>;
}

/** The headers that a page of another origin sends. */
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

/** Returns the cookie that a response sets. */
export function cookieOf({ headers }: Answer): string {
  return headers.get('set-cookie')?.split(';')[0] ?? '';
}

/** Returns call options for a browser with a cookie and no key. */
export function by(cookie: string, headers: Readonly<Record<string, string>> = {}): CallOptions {
  return { bearer: null, headers: { cookie, ...headers } };
}

/** Asserts that a time is this many hours from now. */
export function assertHoursFromNow(date: Date, expected: number): void {
  const hours = (date.getTime() - Date.now()) / 3_600_000;
  assert.ok(Math.abs(hours - expected) < 0.1, `${hours} h`);
}
