import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { openDataDirectory, type DataDirectory } from '../../runtime/embedded/data-dir.js';
import { createApiKey, findApiKey, revokeApiKey } from '../../storage/auth/api-keys.js';
import type { Db } from '../../storage/database/connection.js';
import { startApi, type TestApi } from '../support/service/api.js';
import { temporaryFolder } from '../support/temporary.js';

const run = promisify(execFile);

describe('log-in links', () => {
  const dataDir = join(temporaryFolder(), 'data');
  let api: TestApi;
  let db: Db;
  let databaseUrl: string;
  let adminKey: string;
  let directory: DataDirectory;

  before(async function () {
    api = await startApi();
    ({ db } = api.deps);
    ({ databaseUrl } = api.deps.config);
    adminKey = await api.key('admin');
    // As `kw start` leaves it.
    directory = await openDataDirectory(dataDir);
    directory.writeAdminKey(adminKey);
    directory.writeStack({
      api: api.base,
      temporal_address: '127.0.0.1:1',
      temporal_namespace: 'default',
      temporal_ui: null,
      database_url: databaseUrl,
      processes: {},
    });
  });
  after(async () => {
    directory.release();
    await api.stop();
  });

  /** What a browser's page does with a link. Returns the status and the id of the key that it is logged in as. */
  async function follow(link: string): Promise<[number, string | undefined]> {
    const { origin, pathname, hash, search } = new URL(link);
    assert.deepEqual([origin, pathname, search], [api.base, '/login', '']);
    const login_token = new URLSearchParams(hash.slice(1)).get('token');
    const response = await fetch(`${api.base}/api/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify({ login_token }),
    });
    const body = (await response.json()) as { api_key?: { id: string } };
    return [response.status, body.api_key?.id];
  }

  /** `kw keys login-link`, in the data directory unless told otherwise. */
  const link = async (
    args: readonly string[] = [],
    env: Readonly<Record<string, string>> = { KW_DATA_DIR: dataDir },
  ): Promise<string> => {
    const { stdout } = await run(
      process.execPath,
      [resolve('dist/bin/kw.js'), 'keys', 'login-link', ...args],
      { env: { PATH: process.env['PATH'], ...env }, cwd: temporaryFolder() },
    );
    return stdout.trim();
  };
  const idOfAdmin = async (): Promise<string | undefined> => (await findApiKey(db, adminKey))?.id;

  it('are created by "kw keys login-link", for the admin key or another key', async () => {
    const first = await link();
    const second = await link();
    assert.notEqual(first, second);
    assert.deepEqual(await follow(first), [201, await idOfAdmin()]);
    assert.deepEqual(await follow(second), [201, await idOfAdmin()]);
    const { id } = await createApiKey(db, { name: 'reader', scopes: ['read'] });
    assert.deepEqual(await follow(await link(['--key', id])), [201, id]);
    const env = { DATABASE_URL: databaseUrl, KW_PUBLIC_URL: api.base };
    assert.deepEqual(await follow(await link(['--key', id], env)), [201, id]);
  });

  it('are refused with one line for keys that may not log in', async () => {
    const fails = async (line: RegExp, ...args: Parameters<typeof link>): Promise<void> => {
      await assert.rejects(link(...args), ({ stderr }: { stderr: string }) => {
        assert.match(stderr, line);
        return stderr.trim().split('\n').length === 1;
      });
    };
    const plugin = await createApiKey(db, { name: 'plugin', scopes: ['plugin:ocr'] });
    await fails(/only has plugin scopes/, ['--key', plugin.id]);
    const revoked = await createApiKey(db, { name: 'revoked', scopes: ['admin'] });
    await revokeApiKey(db, revoked.id);
    for (const id of [revoked.id, 'nonsense', '018f0000-0000-7000-8000-000000000000'])
      await fails(/^There is no valid key .*\.$/m, ['--key', id]);
    const elsewhere = { DATABASE_URL: databaseUrl, KW_DATA_DIR: temporaryFolder() };
    await fails(/^There is no admin key for this database in .*--key ID/m, [], elsewhere);
  });
});
