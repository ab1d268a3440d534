import assert from 'node:assert/strict';
import { truncateSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { mock } from 'node:test';
import { ApiError, createClient, withRetries, type FileSource } from '@knowledge-warehouse/client';
import { createTransport } from '../../cli/service/transport.js';
import { eventually } from '../support/eventually.js';
import { createKw, type Kw } from '../support/service/kw.js';
import { startKwCore, type KwCore } from '../support/service/kw-core.js';
import { startProxy, type Proxy } from '../support/network/proxy.js';
import { startHttpsProxy } from '../support/network/tls-proxies.js';
import { createAuthority } from '../support/servers/authority.js';

interface ServerInFront {
  readonly url: string;
  stop(): Promise<unknown>;
}

/**
 * Starts a server in front of another.
 *
 * @param refused Requests with this text get a 403, as from a firewall.
 * @param respond Sends the other's response.
 */
async function startServerInFront(
  target: string,
  refused: string | null,
  respond: (response: ServerResponse, bytes: Buffer) => void,
): Promise<ServerInFront> {
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const { host: _, connection: __, 'transfer-encoding': ___, ...headers } = request.headers;
      const method = request.method ?? '';
      const sent = await buffer(request);
      if (refused !== null && sent.includes(refused)) {
        response.writeHead(403, { 'content-type': 'text/html' }).end('<h1>Forbidden</h1>');
        return;
      }
      const body = method === 'GET' ? null : Uint8Array.from(sent);
      const init = { method, headers: headers as Record<string, string>, body };
      const got = await fetch(new URL(request.url ?? '', target), init);
      const bytes = Buffer.from(await got.arrayBuffer());
      response.writeHead(got.status, { 'content-type': 'application/json', 'content-length': bytes.length });
      respond(response, bytes);
    };
    answer().catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.closeAllConnections();
      return new Promise((closed) => server.close(closed));
    },
  };
}

/** Starts a server in front of another that cuts off every second response within its body. */
function startCuttingServer(target: string): Promise<ServerInFront> {
  let responses = 0;
  return startServerInFront(target, null, (response, bytes) => {
    if ((responses += 1) % 2 === 0) response.end(bytes);
    else response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
  });
}

const get = { method: 'GET', headers: {}, body: null } as const;

describe('kw over an unreliable network', function () {
  let core: KwCore['core'];
  let held: KwCore['held'];
  let named: KwCore['named'];
  let proxy: Proxy;
  let far: Kw;
  before(async () => {
    ({ core, held, named } = await startKwCore());
    proxy = await startProxy({ host: '127.0.0.1', port: Number(new URL(core.base).port) });
    far = createKw({ KW_URL: `http://${proxy.address}`, KW_API_KEY: core.adminKey });
  });
  after(async () => {
    await proxy.stop();
    await core.stop();
  });

  it('registers once although responses are lost again and again', async () => {
    writeFileSync(join(far.folder, 'lost.txt'), 'lost');
    await proxy.set('deafen');
    const running = far.start('add', 'lost.txt', '--type', 'note', '--wait', '--json');
    for (let losses = 0; losses < 3; losses += 1) {
      const before = proxy.caught();
      await eventually(() => proxy.caught() > before);
      await eventually(async () => (await named('lost.txt')).length > 0);
      proxy.cut();
    }
    await proxy.set('pass');
    const { code, stdout, stderr } = await running.ended;
    assert.equal(code, 0, stderr);
    const found = await named('lost.txt');
    assert.equal(found.length, 1);
    assert.equal(JSON.parse(stdout)[0].id, found[0].id);
    assert.match(stderr, /does not answer .* Retrying in/);
  });

  it('says what may be done when it ends before the service answered', async () => {
    const id = '0197a1c2-0000-7000-8000-000000000000';
    await proxy.set('deafen');
    const before = proxy.caught();
    const { child, ended } = far.start('rm', id, '--yes', '--json');
    await eventually(() => proxy.caught() > before);
    child.kill('SIGINT');
    const { stdout, stderr } = await ended;
    await proxy.set('pass');
    const message = 'The command ended before a response arrived: the change may have been made.';
    const error = { code: 'NOT_DONE', message, details: {} };
    assert.deepEqual(JSON.parse(stdout), [{ source: id, error }], stderr);
  });

  it('resends a file whose upload was cut off, and registers it once', async () => {
    writeFileSync(join(far.folder, 'cut.bin'), '');
    const size = 24 * 1024 * 1024;
    truncateSync(join(far.folder, 'cut.bin'), size);
    const running = far.start('add', 'cut.bin', '--type', 'nothing');
    for (let cuts = 0; cuts < 2; cuts += 1) await eventually(() => proxy.cut() > 0, { intervalMs: 5 });
    const { code, stderr } = await running.ended;
    assert.equal(code, 0, stderr);
    const found = await named('cut.bin');
    assert.deepEqual([found.length, found[0].size_bytes], [1, size]);
  });

  it('keeps waiting while the service is down', async () => {
    writeFileSync(join(far.folder, 'away.txt'), 'away');
    const running = far.start('add', 'away.txt', '--type', 'slow', '--wait');
    await eventually(() => running.said.stderr.includes('step 0 (hold)'));
    await proxy.set('refuse');
    await held.release();
    const [resource] = await named('away.txt');
    await core.settled(resource.id);
    await proxy.set('pass');
    const { code, stdout } = await running.ended;
    assert.deepEqual([code, /COMPLETED {3}away\.txt/.test(stdout)], [0, true]);
  });

  it('shows bars on a terminal', async () => {
    writeFileSync(join(far.folder, 'bars.txt'), 'any');
    await proxy.set('deafen');
    const running = far.terminal('add', 'bars.txt', '--type', 'slow', '--wait');
    // All of it is sent, and the answer does not come.
    await eventually(() => running.said.stdout.includes('100%  3 B of 3 B'));
    await proxy.set('pass');
    proxy.cut();
    await eventually(() => running.said.stdout.includes('██████████░░░░░░░░░░  50%  half way'));
    await held.release();
    const { code, stdout } = await running.ended;
    assert.equal(code, 0, stdout);
    assert(stdout.includes('\u001b[32mCOMPLETED'), stdout);
    assert(
      stdout.trimEnd().endsWith('\u001b[?25h') || /\u001b\[\?25h[^]*$/.test(stdout),
      'the cursor is back',
    );
  });

  it('repeats requests whose response is cut off', async () => {
    const cutting = await startCuttingServer(core.base);
    const { transport, close } = createTransport(cutting.url);
    const shared = { url: cutting.url, apiKey: core.adminKey };
    const outcomes: unknown[] = [];
    for (const options of [shared, { ...shared, transport }]) {
      const client = createClient({ ...options, patience: { tries: 4 } });
      const file = new Blob(['half']);
      const upload = client.upload({ name: 'half', type: 'nothing', file });
      outcomes.push(
        await upload.then(
          ({ id }) => id,
          (error: unknown) => error,
        ),
      );
      const missing = client.GET('/resources/{id}', { params: { path: { id: 'missing' } } });
      outcomes.push(await missing.catch((error: unknown) => error));
    }
    await close();
    await cutting.stop();
    const found = await named('half');
    assert.deepEqual(
      outcomes.map((outcome) =>
        outcome instanceof Error ? outcome.name : found.some(({ id }) => id === outcome),
      ),
      [true, 'ApiError', true, 'ApiError'],
    );
    assert.equal(found.length, 2);
  });

  it('takes each way in which a connection fails for an outage', async () => {
    const endings: Readonly<Record<string, string | null>> = {
      'https, closed during the handshake': null,
      'http, closed without a response': null,
      'http, another protocol':
        'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
      'http, no status line': 'SSH-2.0-OpenSSH\r\n',
      'http, cut in the body': 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{',
    };
    for (const [name, answer] of Object.entries(endings)) {
      const server = createTcpServer((socket) => {
        socket.on('error', () => undefined).once('data', () => socket.end(answer ?? ''));
      });
      await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
      const url = `${name.split(',')[0]}://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const { transport, close } = createTransport(url);
      const read = transport({ ...get, url, signal: new AbortController().signal }).then((got) => got.text());
      await assert.rejects(read, { name: 'Unreachable' }, name);
      await close();
      server.close();
    }
  });

  it('rejects with the reason of an abort, also after the response has begun', async () => {
    const { transport, close } = createTransport(core.base);
    for (const isRead of [false, true]) {
      const aborting = new AbortController();
      const response = await transport({ ...get, url: `${core.base}/health/live`, signal: aborting.signal });
      const text = isRead ? response.text() : null;
      aborting.abort(new Error('enough'));
      await assert.rejects(text ?? response.text(), { message: 'enough' });
    }
    await close();
  });

  it('waits a minute for an earlier try that is in progress, which does not count as a failure', async () => {
    const inProgress = new ApiError(409, 'IDEMPOTENCY_IN_PROGRESS', 'It is in progress.', {}, 1);
    const waits: number[] = [];
    const options = {
      tries: 2,
      repeatable: true,
      signal: new AbortController().signal,
      onRetry: (_: Error, waitMs: number) => void waits.push(waitMs),
    };
    // The pauses take no time.
    const timers = mock.method(globalThis, 'setTimeout', (call: () => void) => setImmediate(call));
    try {
      const work = (): Promise<string> =>
        waits.length < 12 ? Promise.reject(inProgress) : Promise.resolve('done');
      assert.equal(await withRetries(work, options), 'done');
      assert.deepEqual(waits, Array(12).fill(1000));
      const endless = withRetries(() => Promise.reject(inProgress), options);
      await assert.rejects(endless, inProgress);
      assert.equal(waits.length, 12 + 60 + 1);
    } finally {
      timers.mock.restore();
    }
  });

  it('throws the error of a file that cannot be read, without a retry', async () => {
    let reads = 0;
    const broken = new TypeError('my disk broke');
    const file: FileSource = {
      size: 10,
      read() {
        reads += 1;
        return new Readable().destroy(broken);
      },
    };
    const options = { url: core.base, apiKey: core.adminKey, patience: { tries: 4 } };
    const { transport, close } = createTransport(core.base);
    for (const client of [createClient(options), createClient({ ...options, transport })]) {
      const upload = client.upload({ name: 'broken', type: 'note', file });
      await assert.rejects(upload, (error) => error === broken);
    }
    await close();
    assert.equal(reads, 2);
    assert.deepEqual(await named('broken'), []);
  });

  it('adds the other files if a proxy refuses one', async () => {
    const firewall = await startServerInFront(core.base, 'an attack', (response, bytes) => {
      response.end(bytes);
    });
    const guarded = createKw({ KW_URL: firewall.url, KW_API_KEY: core.adminKey });
    const names = ['guarded-1.txt', 'guarded-2.txt', 'guarded-3.txt'];
    for (const name of names)
      writeFileSync(join(guarded.folder, name), name === 'guarded-2.txt' ? 'an attack' : name);
    const { code, stdout, stderr } = await guarded(
      ...['add', ...names, '--type', 'none', '--parallel', '1', '--json'],
    );
    await firewall.stop();
    const message = 'The response 403 does not come from this service.';
    assert.equal(code, 1);
    assert.deepEqual(
      JSON.parse(stdout).map((item: { name?: string }) => item.name ?? item),
      [names[0], { source: names[1], error: { code: 'HTTP_403', message, details: {} } }, names[2]],
    );
    assert(stderr.includes(`guarded-2.txt: ${message} (HTTP_403)`), stderr);
  });

  it('reports a service that does not respond', async () => {
    const { code, stderr } = await far('ls', '--url', 'http://127.0.0.1:1');
    assert.equal(code, 1);
    assert.match(stderr, /^http:\/\/127\.0\.0\.1:1 does not answer \(connect ECONNREFUSED/);
  });

  it('explains why TLS failed', async () => {
    const plain = await far('ls', '--url', core.base.replace('http:', 'https:'));
    assert.equal(
      plain.stderr,
      `${core.base.replace('http:', 'https:')} does not answer (TLS failed: wrong version number).\n` +
        `If the service uses http, use ${core.base} as its URL.\n`,
    );
    const { certificate } = await createAuthority();
    const secured = await startHttpsProxy({ certificate, target: () => core.base });
    const { stderr } = await far('ls', '--url', `https://${secured.address}`);
    await secured.stop();
    assert.match(
      stderr,
      /^https:\/\/\S+ does not answer \(unable to verify.*\)\.\n.* NODE_EXTRA_CA_CERTS .*\n$/,
    );
  });
});
