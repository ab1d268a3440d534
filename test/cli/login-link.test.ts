import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { createApiKey, findApiKey, revokeApiKey } from '../../storage/auth/api-keys.js';
import { connectDatabase, type Db } from '../../storage/database/connection.js';
import { onSharedServers, startStack, type TestStack } from '../support/service/stack.js';
import { temporaryFolder } from '../support/temporary.js';

const run = promisify(execFile);

describe('log-in links', () => {
  let stack: TestStack;
  let db: Db;

  before(async function () {
    stack = await startStack({ env: await onSharedServers() });
    db = connectDatabase(stack.stack().database_url, { poolSize: 1 });
  });
  after(async () => {
    await db.destroy();
    await stack.stop();
  });

  /** What a browser's page does with a link. Returns the status and the id of the key that it is logged in as. */
  async function follow(link: string): Promise<[number, string | undefined]> {
    const { origin, pathname, hash, search } = new URL(link);
    assert.deepEqual([origin, pathname, search], [stack.api, '/login', '']);
    const login_token = new URLSearchParams(hash.slice(1)).get('token');
    const response = await fetch(`${stack.api}/api/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify({ login_token }),
    });
    const body = (await response.json()) as { api_key?: { id: string } };
    return [response.status, body.api_key?.id];
  }

  /** `kw keys login-link`, in the data directory of the stack unless told otherwise. */
  const link = async (
    args: readonly string[] = [],
    env: Readonly<Record<string, string>> = { KW_DATA_DIR: stack.dataDir },
  ): Promise<string> => {
    const { stdout } = await run(
      process.execPath,
      [resolve('dist/bin/kw.js'), 'keys', 'login-link', ...args],
      { env: { PATH: process.env['PATH'], ...env }, cwd: temporaryFolder() },
    );
    return stdout.trim();
  };
  const idOfAdmin = async (): Promise<string | undefined> => (await findApiKey(db, stack.adminKey))?.id;

  it('are printed by a start, work once, and are stored in no file', async () => {
    const printed = /^ *Log in: (\S+)$/m.exec(stack.output())?.[1] ?? '';
    assert.match(printed, /#token=kwl_[\w-]{43}$/);
    assert.match(stack.output(), /kw keys login-link/);
    const seen = await fetch(printed);
    await seen.text();
    assert.deepEqual(await follow(printed), [201, await idOfAdmin()], 'to look at it does not use it up');
    assert.deepEqual(await follow(printed), [401, undefined]);
    const token = printed.split('=')[1] ?? '?';
    const logs = readdirSync(join(stack.dataDir, 'logs')).map((name) => join('logs', name));
    assert.ok(logs.includes('logs/api.log'));
    for (const name of ['stack.json', 'admin-key', ...logs])
      assert.ok(!readFileSync(join(stack.dataDir, name), 'utf8').includes(token), name);
  });

  it('are created by "kw keys login-link", for the admin key or another key', async () => {
    const first = await link();
    const second = await link();
    assert.notEqual(first, second);
    assert.deepEqual(await follow(first), [201, await idOfAdmin()]);
    assert.deepEqual(await follow(second), [201, await idOfAdmin()]);
    const { id } = await createApiKey(db, { name: 'reader', scopes: ['read'] });
    assert.deepEqual(await follow(await link(['--key', id])), [201, id]);
    const env = { DATABASE_URL: stack.stack().database_url, KW_PUBLIC_URL: stack.api };
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
    const elsewhere = { DATABASE_URL: stack.stack().database_url, KW_DATA_DIR: temporaryFolder() };
    await fails(/^There is no admin key of this database in .*--key ID/m, [], elsewhere);
  });
});
