import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, request, type ClientRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';
import { ListMultipartUploadsCommand } from '@aws-sdk/client-s3';
import { createApiKey } from '../../storage/auth/api-keys.js';
import { createS3Client } from '../../storage/object-store/s3/client.js';
import { createS3ObjectStore } from '../../storage/object-store/s3/store.js';
import { startBalancer, type Balancer } from '../support/network/balancer.js';
import { eventually } from '../support/eventually.js';
import { isFull } from '../support/full.js';
import { startHttpWorker, type HttpWorker } from '../support/workers/http-worker.js';
import { reservePort } from '../support/servers/ports.js';
import { createDatabase, type TestDatabase } from '../support/servers/postgres.js';
import { startProxy, type Proxy } from '../support/network/proxy.js';
import { createRestClient, type RestClient } from '../support/service/rest-client.js';
import { s3Settings, startS3, type TestS3 } from '../support/servers/s3.js';
import { startService, type Service } from '../support/service/service.js';
import { startTemporal } from '../support/servers/temporal.js';

/** Longer than any socket's buffers: who does not read it keeps it in flight. */
const longText = 'All of it, to the last word. '.repeat(420_000);
/** Callers, and how long each pauses after a request: a steady load, not as much as the replicas can bear. */
const load = isFull ? { callers: 4, pauseMs: 100 } : { callers: 2, pauseMs: 400 };
const mib = 'x'.repeat(1024 * 1024);

describe('API replicas that are stopped by SIGTERM', () => {
  let database: TestDatabase;
  let s3: TestS3;
  /** Between everything and S3. */
  let toS3: Proxy;
  let plugin: HttpWorker;
  let balancer: Balancer;
  let client: RestClient;
  let adminKey: string;
  let worker: Service;
  let replicas: string[];
  let start: (at: number) => Promise<Service>;
  const apis: (Service | null)[] = [null, null];

  before(async function () {
    const [temporal, ports] = await Promise.all([
      startTemporal(),
      Promise.all([reservePort(), reservePort()]),
      (async () => (database = await createDatabase()))(),
      (async () => (s3 = await startS3()))(),
      (async () => (plugin = await startHttpWorker()))(),
    ]);
    const { hostname, port: s3Port } = new URL(s3.endpoint);
    toS3 = await startProxy({ host: hostname, port: Number(s3Port) });
    replicas = ports.map((port) => `http://127.0.0.1:${port}`);
    balancer = await startBalancer(replicas);
    const env = {
      DATABASE_URL: database.url,
      ...temporal.env,
      ...s3Settings(s3, `http://${toS3.address}`),
      KW_SECRET: 'a-secret-that-all-of-them-share',
      KW_PUBLIC_URL: balancer.url,
      KW_PLUGIN_HOSTS: '127.0.0.1',
      KW_RATE_LIMIT: '0',
      KW_DRAIN_SECONDS: '4',
    };
    start = (at) => startService('api', { ...env, PORT: String(ports[at]) });
    worker = await startService('worker', env);
    ({ key: adminKey } = await createApiKey(database.db, { name: 'tests', scopes: ['admin'] }));
    client = createRestClient({ api: balancer.url, adminKey });
    await begin(0, 1);
    const notes = { id: 'notes', name: 'Notes', kind: 'http', endpoint: plugin.endpoint };
    await client.expect(201, 'POST', '/plugins', notes);
    const steps = [{ plugin_id: 'notes' }];
    await client.expect(201, 'POST', '/pipelines', { name: 'Notes', trigger_type: 'note', steps });
  });
  after(async () => {
    await Promise.all([...apis, worker].map(async (service) => await service?.kill9()));
    await balancer.stop();
    await plugin.stop();
    await database.drop();
    await toS3.stop();
    await s3.stop();
  });

  const headers = (): Record<string, string> => ({ authorization: `Bearer ${adminKey}` });

  /** Starts those of these replicas that do not run, and waits until the balancer has them. */
  const begin = async (...wanted: readonly number[]): Promise<void> => {
    for (const at of wanted) apis[at] ??= await start(at);
    await eventually(() => wanted.every((at) => balancer.ready().includes(replicas[at]!)));
  };

  /** Tells one to stop, and waits until it says that it leaves. Resolves with what waits for its end. */
  const leave = async (at: number): Promise<() => Promise<void>> => {
    const api = apis[at]!;
    const stopped = api.stop();
    await eventually(async () => (await fetch(`${replicas[at]}/health/ready`)).status === 503);
    return async () => {
      assert.equal(await stopped, 0, api.output());
      apis[at] = null;
    };
  };

  /** Checks one that leaves: it says so, serves, and closes its connections, and the balancer avoids it. */
  const stillServes = async (at: number): Promise<void> => {
    const [ready, list] = await Promise.all([
      fetch(`${replicas[at]}/health/ready`),
      fetch(`${replicas[at]}/api/v1/resources`, { headers: headers() }),
    ]);
    const { error, checks } = (await ready.json()) as Record<string, any>;
    assert.deepEqual([ready.status, error.code, checks.temporal.status], [503, 'SHUTTING_DOWN', 'ok']);
    assert.deepEqual([list.status, list.headers.get('connection')], [200, 'close']);
    await eventually(() => balancer.ready().join() === replicas[1 - at]);
  };

  it('one after another under a steady load: they serve while they leave, and no request fails or is lost or duplicated', async function () {
    await begin(0, 1);
    let over = false;
    const made: string[] = [];
    const unexpected: string[] = [];
    const call = async (_: unknown, lane: number): Promise<void> => {
      for (let number = 0; !over; number++) {
        const form = new FormData();
        form.set('name', `${lane}/${number}`);
        form.set('type', 'note');
        form.set('file', new Blob([`note ${number} of lane ${lane}`]), 'note.txt');
        const answer = await client
          .call('POST', '/resources', form)
          .catch((error: unknown) => error as Error);
        if (answer instanceof Error) unexpected.push(inspect(answer));
        else if (answer.status !== 201) unexpected.push(`${answer.status} ${JSON.stringify(answer.body)}`);
        else {
          made.push(answer.body.id);
          const read = await client.call('GET', `/resources/${answer.body.id}`);
          if (read.status !== 200) unexpected.push(`${read.status} ${JSON.stringify(read.body)}`);
        }
        await pause(load.pauseMs);
      }
    };
    const lanes = Promise.all(Array.from({ length: load.callers }, call));
    const more = (count: number): Promise<true> => {
      const until = made.length + count;
      return eventually(() => made.length >= until);
    };
    try {
      for (const at of isFull ? [0, 1] : [0]) {
        await more(5);
        const ended = await leave(at);
        await stillServes(at);
        await more(5);
        await ended();
        await begin(at);
        const live = await fetch(`${replicas[at]}/health/live`);
        assert.equal(live.headers.get('connection'), 'keep-alive');
      }
      await more(5);
    } finally {
      over = true;
      await lanes;
    }
    assert.deepEqual([unexpected, balancer.failures()], [[], []]);
    for (const id of made) assert.equal((await client.settled(id)).status, 'COMPLETED');
    const rows: { id: string; run: number }[] = await database.db('resources').select('id', 'run');
    assert.deepEqual(rows.map(({ id }) => id).sort(), [...made].sort());
    assert.ok(rows.every(({ run }) => run === 1));
  });

  it('let an upload finish; one that takes too long is cut off and leaves nothing behind', async function () {
    await begin(0, 1);
    const [finishing, stalling] = [beginUpload(0, 'finishing'), beginUpload(0, 'stalling')];
    for (const upload of [finishing, stalling])
      for (let sent = 0; sent < 12; sent++) await write(upload, mib);
    const cut = once(stalling, 'response').then(
      () => 'answered',
      (error: unknown) => (error as NodeJS.ErrnoException).code,
    );
    // Parts of both are in the bucket.
    await eventually(async () => (await unfinished()).length === 2);
    const ended = await leave(0);
    await write(finishing, mib);
    finishing.end('\r\n--b--\r\n');
    const [answer] = (await once(finishing, 'response')) as [IncomingMessage];
    const resource = JSON.parse(await text(answer)) as { id: string; size_bytes: number };
    assert.deepEqual([answer.statusCode, resource.size_bytes], [201, 13 * mib.length]);
    // To take away what was cut off takes its time: the process does not end before.
    await toS3.set({ delayMs: 500 });
    await ended();
    assert.equal(await cut, 'ECONNRESET');
    await toS3.set('pass');
    assert.equal((await client.settled(resource.id)).status, 'COMPLETED');
    assert.deepEqual((await client.expect(200, 'GET', '/resources?q=stalling')).items, []);
    assert.deepEqual(await unfinished(), []);
    // Its Idempotency-Key is free, not left to the end of a lease.
    assert.deepEqual(await database.db('idempotency_keys').pluck('status'), [201]);
    const rows: { key: string }[] = await database.db('resources').select('object_key as key');
    assert.deepEqual(await objects(), rows.map(({ key }) => key).sort());
  });

  it('let a download finish that started before', async function () {
    await begin(1);
    plugin.handle = async (step) => {
      const artifact = { type: 'long', content_type: 'text' };
      const { body } = await plugin.upload(step, artifact, longText);
      return {
        status: 200,
        body: { status: 'SUCCESS', artifact: { ...artifact, upload_id: body['upload_id'] } },
      };
    };
    const { id } = await client.upload('note', { text: 'a long one' });
    const { artifacts, error } = await client.settled(id);
    assert.equal(error, null);
    const url = `${replicas[1]}/api/v1/resources/${id}/artifacts/${artifacts[0].id}`;
    const [answer] = (await once(get(url, { headers: headers() }), 'response')) as [IncomingMessage];
    const ended = await leave(1);
    const { content } = JSON.parse(await text(answer)) as { content: string };
    assert.ok(content === longText, `${content.length} characters`);
    await ended();
  });

  /** An upload to one of them of which the file has begun. */
  function beginUpload(at: number, name: string): ClientRequest {
    const upload = request(`${replicas[at]}/api/v1/resources`, {
      method: 'POST',
      headers: {
        ...headers(),
        'content-type': 'multipart/form-data; boundary=b',
        'idempotency-key': name,
      },
    });
    for (const [field, value] of Object.entries({ name, type: 'note' }))
      upload.write(`--b\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`);
    upload.write('--b\r\nContent-Disposition: form-data; name="file"; filename="f.txt"\r\n\r\n');
    return upload;
  }

  async function unfinished(): Promise<unknown[]> {
    const bucket = createS3Client(s3);
    try {
      const { Uploads } = await bucket.send(new ListMultipartUploadsCommand({ Bucket: s3.bucket }));
      return Uploads ?? [];
    } finally {
      bucket.destroy();
    }
  }

  async function objects(): Promise<string[]> {
    const store = createS3ObjectStore(s3);
    const keys: string[] = [];
    for await (const { key } of store.list('resources/')) keys.push(key);
    store.close();
    return keys.sort();
  }
});

/** Writes, and waits while the other side is not ready for more. */
async function write(upload: ClientRequest, content: string): Promise<void> {
  if (!upload.write(content)) await once(upload, 'drain');
}
