import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../support/eventually.js';
import type { TestStack } from '../support/service/stack.js';

/** Returns the token of the log-in link that a start prints. */
export const printedToken = (stack: TestStack): Promise<string> =>
  eventually(() => /#token=(\S+)\s/.exec(stack.output())?.[1]);

/** Declares the test of the log-in link that a new stack has printed. The link is valid for five minutes. */
export const describeLoginLink = (stackOf: () => TestStack): unknown =>
  it('prints a log-in link that works once, and whose token is in no file', async () => {
    const stack = stackOf();
    const printed = await printedToken(stack);
    const link = /^ *Log in: (\S+)$/m.exec(stack.output())?.[1] ?? '';
    assert.equal(link, `${stack.api}/login#token=${printed}`);
    assert.match(printed, /^kwl_[\w-]{43}$/);
    assert.match(stack.output(), /kw keys login-link/);
    await (await fetch(link)).text();
    const follow = async (): Promise<[number, readonly string[] | undefined]> => {
      const response = await fetch(`${stack.api}/api/v1/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: stack.api },
        body: JSON.stringify({ login_token: printed }),
      });
      const { api_key } = (await response.json()) as { api_key?: { scopes: string[] } };
      return [response.status, api_key?.scopes];
    };
    assert.deepEqual(await follow(), [201, ['admin']], 'to look at it does not use it up');
    assert.deepEqual(await follow(), [401, undefined]);
    const logs = readdirSync(join(stack.dataDir, 'logs')).map((name) => join('logs', name));
    assert.ok(logs.includes('logs/api.log'));
    for (const name of ['stack.json', 'admin-key', ...logs])
      assert.ok(!readFileSync(join(stack.dataDir, name), 'utf8').includes(printed), name);
  });
