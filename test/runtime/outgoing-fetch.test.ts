import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ServiceError } from '../../core/errors.js';
import { createFetch } from '../../runtime/outgoing/index.js';

const isRefused = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'URL_NOT_ALLOWED';

describe('fetch with a policy', () => {
  let server: Server;
  let port: number;
  const requests: string[] = [];

  before(async () => {
    server = createServer((request, response) => {
      requests.push(`${request.method ?? ''} ${request.url ?? ''}`);
      if (request.url === '/moved') response.writeHead(302, { location: '/' }).end('elsewhere');
      else if (request.url !== '/silent') request.pipe(response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });
  beforeEach(() => (requests.length = 0));
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Resolves every name to the addresses. */
  const resolvingTo =
    (...addresses: string[]) =>
    (): Promise<LookupAddress[]> =>
      Promise.resolve(addresses.map((address) => ({ address, family: 4 })));

  it('reaches this machine only on the listed hosts and ports', async () => {
    const url = `http://127.0.0.1:${port}/`;
    await assert.rejects(createFetch({ allow: [] })(url), isRefused);
    await assert.rejects(createFetch({ allow: [`127.0.0.1:${port + 1}`] })(url), isRefused);
    assert.deepEqual(requests, []);

    const fetch = createFetch({ allow: ['127.0.0.1'] });
    const response = await fetch(new URL(url), { method: 'POST', body: 'hello' });
    assert.deepEqual([response.status, await response.text()], [200, 'hello']);
    assert.deepEqual(requests, ['POST /']);
  });

  it('rejects a name that has a private address when it connects', async () => {
    const url = `http://inside.example:${port}/`;
    const resolve = resolvingTo('93.184.216.34', '127.0.0.1');
    await assert.rejects(createFetch({ allow: [], resolve })(url), isRefused);
    assert.deepEqual(requests, []);
    const allowed = createFetch({ allow: ['inside.example'], resolve: resolvingTo('127.0.0.1') });
    assert.equal((await allowed(url)).status, 200);
  });

  it('follows no redirect, even if told to', async () => {
    const fetch = createFetch({ allow: ['127.0.0.1'] });
    const response = await fetch(`http://127.0.0.1:${port}/moved`, { redirect: 'follow' });
    assert.deepEqual([response.status, response.headers.get('location')], [302, '/']);
    assert.equal(await response.text(), 'elsewhere');
    assert.deepEqual(requests, ['GET /moved']);
  });

  it('aborts with its signal', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const asked = once(server, 'request').then(() => controller.abort(reason));
    const answer = createFetch({ allow: ['127.0.0.1'] })(`http://127.0.0.1:${port}/silent`, {
      signal: controller.signal,
    });
    await assert.rejects(answer, reason);
    await asked;
  });
});
