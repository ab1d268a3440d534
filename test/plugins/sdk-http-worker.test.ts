import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { signMessage, verifyMessage } from '@knowledge-warehouse/plugin/signing';
import type { StepMessage } from '@knowledge-warehouse/plugin/protocol';
import { runHttpWorker, type AnyPlugin } from '@knowledge-warehouse/plugin';
import {
  registerForSecret,
  secretsFolderOf,
} from '../../packages/plugin/src/workers/http/signing-secrets.js';
import { requireCore } from '../../packages/plugin/src/workers/settings.js';
import { createApiKey } from '../../storage/auth/api-keys.js';
import { startCore, type TestCore } from '../support/service/core.js';
import { eventually } from '../support/eventually.js';
import { exchange } from '../support/network/raw-http.js';
import { reservePort } from '../support/servers/ports.js';
import { temporaryFolder } from '../support/temporary.js';
import { probe, seen, silent, startWorker, type RunningWorker } from './support/probe.js';

const bounds = { max_attempts: 3, backoff_seconds: 0.1, timeout_seconds: 30 };

describe('an HTTP worker', () => {
  let core: TestCore;
  let secretsFolder: string;
  let worker: RunningWorker;
  let network: Server;
  let base: string;
  const delivered: { readonly body: string; readonly headers: Record<string, string> }[] = [];

  const send = async (path: string, body: string, headers: Record<string, string>): Promise<number> =>
    (await fetch(base + path, { method: 'POST', body, headers })).status;
  const stepOf = async (id: string): Promise<any> =>
    (await core.call('GET', `/resources/${id}`)).body.steps[0];
  const secretFile = (): string => join(secretsFolderOf(core.base, secretsFolder), 'signed');
  const sign = (message: object, now = Date.now()): [string, Record<string, string>] => {
    const body = JSON.stringify(message);
    return [body, signMessage([readFileSync(secretFile(), 'utf8').trim()], body, undefined, now)];
  };

  before(async () => {
    core = await startCore({ plugins: [] });
    secretsFolder = temporaryFolder();
    // A network between Core and the worker that brings everything twice.
    network = createServer((request, response) => {
      void (async () => {
        const body = await text(request);
        const headers = Object.fromEntries(
          Object.entries(request.headers).filter(([name]) => name.startsWith('webhook-')),
        ) as Record<string, string>;
        delivered.push({ body, headers });
        const [status] = await Promise.all([send('/signed', body, headers), send('/signed', body, headers)]);
        response.writeHead(status).end();
      })();
    });
    network.listen(0, '127.0.0.1');
    await once(network, 'listening');
    const endpoint = `http://127.0.0.1:${(network.address() as AddressInfo).port}`;
    const port = await reservePort();
    base = `http://127.0.0.1:${port}`;
    worker = startWorker(
      runHttpWorker,
      { ...probe, id: 'signed' },
      { core, secretsFolder, endpoint, port, concurrency: 1 },
    );
    await eventually(() => existsSync(secretFile()));
    await core.pipeline('signed', { plugin_id: 'signed', ...bounds });
  });
  beforeEach(() => {
    seen.forget();
  });
  after(async () => {
    await worker.stop();
    network.close();
    await core.stop();
  });

  it('processes a step once if it arrives twice, and again after it is done', async () => {
    const { id } = await core.upload('signed', 'emit');
    assert.equal((await core.settled(id)).status, 'COMPLETED');
    const [first] = delivered;
    assert.equal(await send('/signed', first!.body, first!.headers), 202);
    assert.equal(seen.begun, 1);
  });

  it('rejects requests whose signature does not match or is old', async () => {
    const [body, headers] = sign({ protocol: 'kw.cleanup/1', plugin: { id: 'signed', config: {} } });
    const [, old] = sign(JSON.parse(body) as object, Date.now() - 301_000);
    const forged = signMessage(['whsec_c29tZSBvdGhlciBzZWNyZXQ='], body);
    for (const wrong of [{}, old, forged]) assert.equal(await send('/signed', body, wrong), 401);
    assert.equal(await send('/signed', body.replace('signed', 'other'), headers), 401);
    assert.deepEqual(seen.cleanedUp, []);
  });

  it('does not start a step that was cancelled before it arrived', async () => {
    const { body } = delivered[0]!;
    const step = JSON.parse(body) as StepMessage;
    const { resource, run, step_index } = step;
    const attempt = { ...step.attempt, number: 77 };
    const cancel = { protocol: 'kw.cancel/1', resource: { id: resource.id }, run, step_index, attempt: 77 };
    assert.equal(await send('/signed', ...sign(cancel)), 202);
    assert.equal(await send('/signed', ...sign({ ...step, attempt })), 202);
    assert.equal(seen.begun, 0);
  });

  it('ends the attempts of a resource once it must clean up after its deletion', async () => {
    // Core sends no cancellation if the resource is deleted at once.
    await core.pipeline('patient', { plugin_id: 'signed', ...bounds, timeout_seconds: 3600 });
    const { id } = await core.upload('patient', 'wait');
    await eventually(() => seen.runs.length === 1);
    const cleanUp = { protocol: 'kw.cleanup/1', resource: { id }, run: 1, artifacts: [] };
    const plugin = { id: 'signed', config: {} };
    const replaced = { ...cleanUp, plugin, reason: 'ARTIFACTS_REMOVED' };
    assert.equal(await send('/signed', ...sign(replaced)), 204);
    assert.deepEqual(seen.aborted, []);
    assert.equal(await send('/signed', ...sign({ ...cleanUp, plugin, reason: 'RESOURCE_DELETED' })), 204);
    await eventually(() => seen.aborted.length === 1);
    await core.call('POST', `/resources/${id}/cancel`);
    await core.settled(id);
  });

  it('requests no signing secret that it could not save', async () => {
    const asked: string[] = [];
    const call = (method: string, path: string): Promise<unknown> => {
      asked.push(`${method} ${path}`);
      return Promise.resolve({ signing_secret: 'whsec_c2VjcmV0' });
    };
    const folder = join(secretFile(), 'below a file');
    await assert.rejects(
      registerForSecret(call, probe, base, folder),
      /cannot be saved in .*KW_SIGNING_SECRET/,
    );
    assert.deepEqual(asked, []);
  });

  it('keeps a secret for each service', async () => {
    const folder = temporaryFolder();
    const register = (url: string, answer: object): Promise<string> =>
      registerForSecret(() => Promise.resolve(answer), probe, base, secretsFolderOf(url, folder));
    assert.equal(await register('https://a.example', { signing_secret: 'whsec_a' }), 'whsec_a');
    assert.equal(await register('http://b.example:81/kw', { signing_secret: 'whsec_b' }), 'whsec_b');
    assert.equal(await register('https://a.example', {}), 'whsec_a');
    // This machine is one service by each of its names.
    assert.equal(await register('http://127.0.0.1:81', { signing_secret: 'whsec_c' }), 'whsec_c');
    for (const host of ['localhost', '[::1]'])
      assert.equal(await register(`http://${host}:81`, {}), 'whsec_c');
    assert.equal(await register('http://localhost.example:81', { signing_secret: 'whsec_d' }), 'whsec_d');
    assert.equal(await register('http://127.0.0.1:81', {}), 'whsec_c');
  });

  it('lets steps wait for their turn, and reports it', async () => {
    const [first, second] = [await core.upload('signed', 'wait'), await core.upload('signed', 'wait')];
    const waiting = await eventually(async () => {
      for (const [id, other] of [
        [first.id, second.id],
        [second.id, first.id],
      ]) {
        if ((await stepOf(id)).progress?.message?.startsWith('Waiting: the worker is busy'))
          return { id, other };
      }
      return undefined;
    });
    // One may wait before the other's work has begun.
    await eventually(() => seen.runs.length > 0);
    assert.equal(seen.runs.length, 1);
    await core.call('POST', `/resources/${waiting.other}/cancel`);
    await eventually(async () => (await stepOf(waiting.id)).progress?.message === 'half');
    await core.call('POST', `/resources/${waiting.id}/cancel`);
    await core.settled(waiting.id);
  });

  it('rejects unknown requests', async () => {
    assert.equal(await send('/signed', ...sign({ protocol: 'kw.step/2' })), 400);
    assert.equal(await send('/signed', 'x'.repeat(4 * 1024 * 1024 + 1), {}), 413);
    assert.equal((await fetch(`${base}/signed`)).status, 405);
    assert.equal((await fetch(`${base}/health?now`)).status, 200);
    // A target that is no URL; a worker with one plugin serves it at every path.
    const [odd] = await exchange(
      base,
      'POST // HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
    );
    assert.equal(odd?.status, 401);
    assert.equal((await fetch(`${base}/health`)).status, 200);
  });

  it('does not start with a secret with which anybody could sign, or two plugins of one id', async () => {
    for (const signingSecret of ['whsec_', 'whsec_!!!', 'whsec_c2hvcnQ=', ''])
      await assert.rejects(runHttpWorker([probe], { signingSecret, port: 0 }), /at least 16 bytes in base64/);
    const forged = signMessage([''], '{}');
    assert.equal(verifyMessage('', forged, '{}'), false);
    await assert.rejects(runHttpWorker([probe, probe], { port: 0 }), /Two plugins .* id probe/);
    await assert.rejects(runHttpWorker([], { port: 0 }), /at least one plugin/);
    await assert.rejects(runHttpWorker(probe as never, { port: 0 }), /list of plugins: \[plugin\]/);
    await assert.rejects(runHttpWorker([probe], { endpoint: 'http://a?x', port: 0 }), /KW_ENDPOINT must be/);
  });

  it('does not start with a URL that is not the address of the service', async () => {
    const start = (url: string): Promise<void> =>
      runHttpWorker([probe], { url, apiKey: 'kw_any', port: 0, secretsFolder, log: silent });
    await assert.rejects(
      start('ftp://a.example'),
      /KW_URL .* ftp:\/\/a\.example is not an http or https URL/,
    );
    await assert.rejects(
      start('https://me:secret@a.example'),
      /KW_URL .* must not contain a user or password/,
    );
    const other = createServer((request, response) => {
      if (request.url?.startsWith('/moved'))
        response.writeHead(301, { location: 'https://a.example/' }).end();
      else response.end('<html>');
    });
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    try {
      await assert.rejects(
        start(`${url}/moved`),
        /is not the address of the service: it redirects to https:\/\/a\.example\/.* KW_URL/,
      );
      await assert.rejects(
        start(url),
        /is not the address of the service: .* something other than JSON.* KW_URL/,
      );
    } finally {
      other.close();
    }
  });

  it('uses the key of the stack on this machine for that stack only, however its URL is written', () => {
    const { KW_DATA_DIR, KW_URL, KW_API_KEY } = process.env;
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'stack.json'), '{"api":"http://127.0.0.1:80"}');
    writeFileSync(join(folder, 'admin-key'), 'kw_admin\n');
    delete process.env['KW_URL'];
    delete process.env['KW_API_KEY'];
    process.env['KW_DATA_DIR'] = folder;
    try {
      for (const url of [undefined, 'http://127.0.0.1:80', '127.0.0.1'])
        assert.deepEqual(requireCore({ url }), { url: 'http://127.0.0.1', apiKey: 'kw_admin' });
      assert.throws(() => requireCore({ url: 'http://127.0.0.1:81' }), /Set KW_URL and KW_API_KEY/);
    } finally {
      delete process.env['KW_DATA_DIR'];
      Object.assign(process.env, JSON.parse(JSON.stringify({ KW_DATA_DIR, KW_URL, KW_API_KEY })));
    }
  });

  it('does not reveal its secret, and explains what to do if it is lost', async () => {
    assert.equal(statSync(secretFile()).mode & 0o777, 0o600);
    const { key } = await createApiKey(core.deps.db, { name: 'worker', scopes: ['plugin:signed'] });
    const plugin = { ...probe, id: 'signed' } as AnyPlugin;
    const { endpoint } = (await core.call('GET', '/plugins/signed')).body;
    const lost = runHttpWorker([plugin], {
      // As "kw" accepts it.
      url: `${new URL(core.base).host}/api/v1/`,
      apiKey: key,
      port: 0,
      endpoint: endpoint.replace('/signed', ''),
      secretsFolder: temporaryFolder(),
      log: silent,
    });
    await assert.rejects(lost, /KW_SIGNING_SECRET.*admin key/);
  });
});
