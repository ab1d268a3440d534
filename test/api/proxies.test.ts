import assert from 'node:assert/strict';
import {
  createServer,
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { startApi, type TestApi } from '../support/service/api.js';

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Sent {
  readonly bearer?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** Sends a request from an address of this machine's: 127.0.0.0/8 is all its own. */
async function ask(
  base: string,
  from: string,
  method: string,
  path: string,
  { bearer, headers = {}, body }: Sent,
): Promise<Answer> {
  const sending = request(`${base}/api/v1${path}`, {
    method,
    localAddress: from,
    headers: {
      ...headers,
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
  }).end(body && JSON.stringify(body));
  const [answer] = (await once(sending, 'response')) as [IncomingMessage];
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: await text(answer) };
}

/** A proxy as people set one up: it adds whom it heard from, and says by which scheme and name it was asked. */
async function startForwarder(target: string): Promise<{ readonly server: Server; readonly base: string }> {
  const server = createServer((incoming, outgoing) => {
    const before = incoming.headers['x-forwarded-for'];
    const peer = incoming.socket.remoteAddress ?? '';
    const headers = {
      ...incoming.headers,
      host: new URL(target).host,
      'x-forwarded-for': before === undefined ? peer : `${String(before)}, ${peer}`,
      'x-forwarded-proto': 'https',
      'x-forwarded-host': incoming.headers.host,
    };
    const onward = request(
      `${target}${incoming.url ?? ''}`,
      { method: incoming.method, headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    incoming.pipe(onward);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, base: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe('behind a proxy', () => {
  let api: TestApi;
  let proxy: Awaited<ReturnType<typeof startForwarder>>;
  const [one, other, elsewhere] = ['127.0.0.2', '127.0.0.3', '127.0.0.4'];
  /** What the last bad key of `one` was answered, after as many as one client may bring. */
  let lastAnswer = 0;

  before(async () => {
    // The last one is a second proxy that is not used.
    api = await startApi({ env: { KW_RATE_LIMIT: '6000', KW_TRUSTED_PROXIES: '127.0.0.1, 192.0.2.0/24' } });
    proxy = await startForwarder(api.base);
    // What a client says of itself stands before what the proxy saw, and changes nothing.
    for (let at = 0; at <= 600; at += 1)
      lastAnswer = await guess(proxy.base, one, { 'x-forwarded-for': `198.51.100.${at % 250}` });
  });
  after(async () => {
    proxy.server.closeAllConnections();
    proxy.server.close();
    await api.stop();
  });

  const guess = async (base: string, from: string, headers?: Sent['headers']): Promise<number> =>
    (await ask(base, from, 'GET', '/plugins', { bearer: 'kw_wrong', ...(headers && { headers }) })).status;

  it('each client has its own limit for bad keys, and a good key is accepted despite any number of them', async () => {
    assert.equal(lastAnswer, 429);
    assert.equal(await guess(proxy.base, other), 401);
    // Through another proxy that is trusted: the client is whom that one heard from.
    assert.equal(await guess(api.base, '127.0.0.1', { 'x-forwarded-for': `${one}, 192.0.2.7` }), 429);
    assert.equal(await guess(api.base, '127.0.0.1', { 'x-forwarded-for': `${one}, 203.0.113.9:4711` }), 401);

    const key = await api.key('read');
    assert.equal((await ask(proxy.base, one, 'GET', '/plugins', { bearer: key })).status, 200);
    const logIn = { body: { api_key: await api.key('read') } };
    assert.equal((await ask(proxy.base, one, 'POST', '/session', logIn)).status, 201);
    assert.equal((await ask(proxy.base, one, 'POST', '/session', { body: { api_key: 'kw_x' } })).status, 429);
  });

  it('headers of untrusted proxies do not affect the client address', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.1' };
    assert.equal(await guess(api.base, one, headers), 429);
    assert.equal(await guess(api.base, elsewhere, { 'x-forwarded-for': one }), 401);
  });

  it('the host and scheme that the browser requested count as our own', async () => {
    const key = await api.key('read');
    const origin = { host: 'wiki.example', origin: 'https://wiki.example' };
    const logIn = { body: { api_key: key }, headers: origin };
    const loggedIn = await ask(proxy.base, other, 'POST', '/session', logIn);
    assert.equal(loggedIn.status, 201, loggedIn.body);
    const [cookie = ''] = loggedIn.headers['set-cookie'] ?? [];
    assert.match(cookie, /^__Host-kw_session=\S+; .*; Secure$/);
    const session = { headers: { ...origin, cookie: cookie.split(';')[0] ?? '' } };
    assert.equal((await ask(proxy.base, other, 'GET', '/session', session)).status, 200);
    const foreign = { ...session.headers, origin: 'https://evil.example' };
    assert.equal((await ask(proxy.base, other, 'DELETE', '/session', { headers: foreign })).status, 403);
    assert.equal((await ask(proxy.base, other, 'DELETE', '/session', session)).status, 204);

    const claimed = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'wiki.example', ...origin };
    const spoofed = await ask(api.base, elsewhere, 'POST', '/session', {
      body: { api_key: key },
      headers: claimed,
    });
    assert.equal(spoofed.status, 403);
    const { origin: _none, ...program } = claimed;
    const plain = await ask(api.base, elsewhere, 'POST', '/session', {
      body: { api_key: key },
      headers: program,
    });
    assert.doesNotMatch(String(plain.headers['set-cookie']), /Secure|__Host-/);
  });
});
