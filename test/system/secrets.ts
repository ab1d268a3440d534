import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createApiKey, revokeApiKey } from '../../storage/auth/api-keys.js';
import { createLoginLink } from '../../storage/auth/login-links.js';
import { connectDatabase } from '../../storage/database/connection.js';
import { readHistories, readLogs, readTables } from '../support/stores/at-rest.js';
import { openEventStream, type EventStream } from '../support/service/event-stream.js';
import { eventually } from '../support/eventually.js';
import { startHttpWorker, type HttpWorker } from '../support/workers/http-worker.js';
import type { OtlpReceiver } from '../support/network/otlp-receiver.js';
import { createRestClient, type RestClient } from '../support/service/rest-client.js';
import type { TestS3 } from '../support/servers/s3.js';
import type { TestStack } from '../support/service/stack.js';
import { printedToken } from './login-link.js';

/** Every secret of the service, recognizable, by what it is. */
const secrets: Record<string, string> = {
  KW_SECRET: 'planted-signing-and-sealing-secret',
  'a writeOnly value of a config': 'planted-config-value',
  'a writeOnly value deeper in a config': 'planted-deeper-config-value',
  'the key of an embedding endpoint': 'planted-embedding-key',
  TEMPORAL_API_KEY: 'planted-key-of-temporal',
  'a header for the receiver of traces': 'planted key of the receiver',
};

/** Settings of a stack for these tests, beside those of its receiver and its bucket. */
export const secretSettings = (): Readonly<Record<string, string>> => ({
  KW_LOG_LEVEL: 'trace',
  KW_SECRET: secrets['KW_SECRET'] ?? '',
  TEMPORAL_API_KEY: secrets['TEMPORAL_API_KEY'] ?? '',
  TEMPORAL_TLS: 'false',
  OTEL_EXPORTER_OTLP_HEADERS: `x-receiver-key=${encodeURIComponent(secrets['a header for the receiver of traces'] ?? '')}`,
});

/** Declares the tests of a stack with these settings: nothing that it stores, writes or sends has its secrets. */
export const describeSecrets = (
  stackOf: () => { readonly stack: TestStack; readonly s3: TestS3; readonly receiver: OtlpReceiver },
): unknown =>
  describe('its secrets', () => {
    let stack: TestStack;
    let s3: TestS3;
    let worker: HttpWorker;
    let embeddings: Server;
    let receiver: OtlpReceiver;
    let events: EventStream;
    let client: RestClient;
    const keys: Record<string, string> = {};
    const cookies: string[] = [];
    let printed = '';
    /** The workflows of the resources that are processed here. */
    const workflows: string[] = [];
    const embedded: string[] = [];

    before(async function () {
      ({ stack, s3, receiver } = stackOf());
      worker = await startHttpWorker();
      embeddings = createServer((request, response) => {
        embedded.push(request.headers.authorization ?? '');
        // Servers that refuse a key like to quote it.
        const message = `Incorrect request: ${request.headers.authorization ?? ''}`;
        response
          .writeHead(422, { 'content-type': 'application/json' })
          .end(JSON.stringify({ error: { message } }));
      }).listen(0, '127.0.0.1');
      client = createRestClient(stack);
      secrets['the secret of the S3 key'] = s3.secretAccessKey;
      secrets['the password of the database'] = new URL(stack.stack().database_url).password;
      secrets['the admin key'] = stack.adminKey;
      printed = await printedToken(stack);
      secrets['the log-in link of the start'] = printed;
      await makeKeys();
      events = await openEventStream(`${stack.api}/api/v1/events`, { bearer: keys['read'] ?? '' });
    });
    after(async () => {
      events.cut();
      embeddings.close();
      await worker.stop();
    });

    async function makeKeys(): Promise<void> {
      const db = connectDatabase(stack.stack().database_url, { poolSize: 1 });
      try {
        for (const scope of ['read', 'write', 'plugin:notes']) {
          const { id, key } = await createApiKey(db, { name: scope, scopes: [scope] });
          keys[scope] = key;
          secrets[`a key with the scope ${scope}`] = key;
          secrets[`a log-in link of ${scope} that is not used`] = await createLoginLink(db, id);
          await logIn(await createLoginLink(db, id), scope === 'plugin:notes' ? 403 : 201);
        }
        const { id, key } = await createApiKey(db, { name: 'revoked', scopes: ['admin'] });
        await revokeApiKey(db, id);
        keys['revoked'] = key;
        secrets['a revoked key'] = key;
        await logIn(await createLoginLink(db, id), 401);
      } finally {
        await db.destroy();
      }
    }

    /** Uses a link up, then once more in vain, and once in a body that is refused; then changes something by the cookie. */
    async function logIn(login_token: string, expected: number): Promise<void> {
      secrets[`log-in token ${Object.keys(secrets).length}`] = login_token;
      const post = (path: string, body: unknown, cookie = ''): Promise<Response> =>
        fetch(`${stack.api}/api/v1${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', origin: stack.api, cookie },
          body: JSON.stringify(body),
        });
      const answer = await post('/session', { login_token });
      assert.equal(answer.status, expected);
      assert.equal((await post('/session', { login_token: [login_token] })).status, 400);
      if (expected !== 201) return;
      assert.equal((await post('/session', { login_token })).status, 401);
      const cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
      secrets[`the token of session ${cookies.length}`] = cookie.split('=')[1] ?? '';
      cookies.push(cookie);
      assert.equal((await post('/plugins', { name: cookie }, cookie)).status, 403);
    }

    /** Registers a plugin with secrets in its config and pipelines for it and for embed. */
    async function setUp(): Promise<void> {
      const secret = { type: 'string', writeOnly: true };
      const plugin = await client.expect(201, 'POST', '/plugins', {
        id: 'notes',
        name: 'Notes',
        kind: 'http',
        endpoint: worker.endpoint,
        config: {
          shown: 'as it is',
          api_key: secrets['a writeOnly value of a config'],
          store: { password: secrets['a writeOnly value deeper in a config'] },
        },
        config_schema: {
          type: 'object',
          properties: { api_key: secret, store: { type: 'object', properties: { password: secret } } },
        },
      });
      secrets['the first signing secret'] = plugin.signing_secret;
      const renewed = await client.expect(200, 'POST', '/plugins/notes/signing-secret');
      secrets['the second signing secret'] = renewed.signing_secret;
      const { port } = embeddings.address() as AddressInfo;
      await client.expect(200, 'PUT', '/plugins/embed/config', {
        config: {
          base_url: `http://127.0.0.1:${port}/v1`,
          model: 'm',
          api_key: secrets['the key of an embedding endpoint'],
        },
      });
      const bounds = { max_attempts: 2, backoff_seconds: 0, timeout_seconds: 8 };
      const pipeline = (type: string, ...plugins: string[]): Promise<unknown> =>
        client.expect(201, 'POST', '/pipelines', {
          name: type,
          trigger_type: type,
          steps: plugins.map((plugin_id) => ({ plugin_id, ...bounds })),
        });
      await pipeline('notes', 'notes');
      await pipeline('vectors', 'extract-text', 'chunk-text', 'embed');
    }

    /** Runs a resource through the worker, which does this with it, to its end. */
    async function run(handle: HttpWorker['handle'], status: string): Promise<void> {
      worker.handle = handle;
      const { id } = await client.upload('notes', { text: 'some text' });
      const resource = await client.settled(id);
      assert.equal(resource.status, status, JSON.stringify(resource.error));
      workflows.push(resource.workflow_id);
    }

    /** Everything that somebody without the scope `admin` can read. */
    async function readEverything(): Promise<Record<string, string>> {
      const texts: Record<string, string> = {};
      const read = async (path: string, key: string, init: RequestInit = {}): Promise<string> => {
        const headers = {
          authorization: `Bearer ${keys[key] ?? ''}`,
          ...(init.headers as object | undefined),
        };
        const response = await fetch(`${stack.api}${path}`, { ...init, headers });
        const text = await response.text();
        const head = JSON.stringify([...response.headers]);
        texts[`${init.method ?? 'GET'} ${path} by ${key}`] = head + text;
        return text;
      };
      const list = await read('/api/v1/resources?include=steps,artifacts&limit=200', 'read');
      const { items } = JSON.parse(list) as { items: { id: string; artifacts: { id: string }[] }[] };
      const paths = items.flatMap(({ id, artifacts }) => [
        `/resources/${id}`,
        `/resources/${id}/runs`,
        ...artifacts.map((artifact) => `/resources/${id}/artifacts/${artifact.id}`),
      ]);
      for (const path of [
        '/plugins',
        '/plugins/notes',
        '/plugins/embed',
        '/pipelines',
        '/openapi.json',
        ...paths,
      ])
        for (const key of ['read', 'write', 'plugin:notes', 'revoked']) await read(`/api/v1${path}`, key);
      for (const path of ['/metrics', '/health/ready', '/docs', '/']) await read(path, 'read');
      const refused = { method: 'PUT', body: '{"config":', headers: { 'content-type': 'application/json' } };
      await read('/api/v1/plugins/notes/config', 'write', refused);
      await read('/api/v1/internal/plugins/notes/config', 'read');
      await read(`/api/v1/resources?key=nonsense`, 'read');
      for (const [at, cookie] of cookies.entries()) {
        for (const path of ['/api/v1/session', '/api/v1/plugins', '/api/v1/nothing', '/', '/login']) {
          const response = await fetch(`${stack.api}${path}`, { headers: { cookie } });
          texts[`${path} by session ${at}`] = JSON.stringify([...response.headers]) + (await response.text());
        }
      }
      return texts;
    }

    it('are in no log, response, event, error, metric, trace, history or table', async function () {
      await setUp();
      const artifact = { type: 'note', content_type: 'text', content: 'done' };
      const echo =
        (status: number): HttpWorker['handle'] =>
        ({ raw, headers }) => ({ status, body: { raw, headers } });

      await run(() => ({ status: 200, body: { status: 'SUCCESS', artifact } }), 'COMPLETED');
      await run((step) => {
        void eventually(
          async () => (await worker.report(step, { status: 'SUCCESS', artifact })).status === 200,
        );
        return { status: 202 };
      }, 'COMPLETED');
      const error = { code: 'NO', message: 'not today', retryable: false };
      await run(() => ({ status: 200, body: { status: 'FAILURE', error } }), 'FAILED');
      // A worker sends back, unasked, what it received.
      for (const status of [200, 400, 500]) await run(echo(status), 'FAILED');
      await run(() => undefined, 'FAILED');
      const { id } = await client.upload('vectors', { text: 'some text that is embedded' });
      const vectors = await client.settled(id);
      assert.equal(vectors.error.code, 'EMBEDDING_REJECTED');
      workflows.push(vectors.workflow_id);

      // Each of them has been at work.
      const [first] = worker.arrived;
      assert.ok(first);
      assert.ok(first.raw.includes(secrets['a writeOnly value of a config'] ?? '?'));
      assert.ok(first.raw.includes(secrets['a writeOnly value deeper in a config'] ?? '?'));
      assert.deepEqual(
        [...new Set(embedded)],
        [`Bearer ${secrets['the key of an embedding endpoint'] ?? ''}`],
      );
      const header = secrets['a header for the receiver of traces'];
      await eventually(() => receiver.spans.some(({ name }) => name === 'plugin embed'));
      assert.ok(receiver.headers.every((each) => each['x-receiver-key'] === header));
      await eventually(() =>
        events.events.some(({ data }) => data.resource_id === id && /FAILED/.test(JSON.stringify(data))),
      );
      worker.arrived.forEach(({ message }, at) => (secrets[`callback token ${at}`] = message.callback.token));

      const tables = await readTables(stack.stack().database_url);
      for (const name of ['api_keys', 'events', 'login_links', 'plugins', 'sessions'])
        assert.ok(tables[`the table ${name}`], name);
      const texts = {
        ...(await readEverything()),
        'the stream of events': events.text(),
        'the traces': JSON.stringify(receiver.spans),
        ...(await readHistories(stack.stack())),
        ...tables,
        ...readLogs(join(stack.dataDir, 'logs')),
        // That link is meant for who sits there.
        'the terminal': stack.output().replace(printed, ''),
      };
      const logged = Object.entries(texts).find(([name]) => name.endsWith('api.log'))?.[1] ?? '';
      assert.match(logged, /"route":"\/api\/v1\/plugins\/:id\/config"/, 'the log tells of every request');
      assert.equal(workflows.length, 8);
      for (const workflow of workflows) assert.ok(`the history of ${workflow}` in texts, workflow);

      for (const [place, text] of Object.entries(texts)) {
        for (const [what, secret] of Object.entries(secrets)) {
          assert.ok(secret.length >= 12, what);
          const bytes = Buffer.from(secret);
          const coded = (['base64', 'base64url', 'hex'] as const).map((coding) => bytes.toString(coding));
          for (const form of [secret, encodeURIComponent(secret), ...coded]) {
            const at = text.indexOf(form);
            assert.equal(at, -1, `${what} is in ${place}: ${text.slice(Math.max(0, at - 300), at + 100)}`);
          }
        }
      }
    });
  });
