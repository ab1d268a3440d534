import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request, type ClientRequest } from 'node:http';
import { resolve } from 'node:path';
import { createApiKey } from '../../storage/auth/api-keys.js';
import { atExit } from '../support/at-exit.js';
import { eventually } from '../support/eventually.js';
import { reservePort } from '../support/servers/ports.js';
import { createDatabase, type TestDatabase } from '../support/servers/postgres.js';
import { startProxy, type Proxy } from '../support/network/proxy.js';
import { exchange } from '../support/network/raw-http.js';
import { startTemporal } from '../support/servers/temporal.js';
import { temporaryFolder } from '../support/temporary.js';
import { healthCheck } from './health-check.js';

const kw = resolve('dist/bin/kw.js');

interface Probe {
  readonly status: number;
  readonly body: { readonly checks: Record<string, { readonly status: string }> };
}

describe('probes', () => {
  let database: TestDatabase;
  let toTemporal: Proxy;
  let env: Record<string, string>;

  before(async () => {
    const temporal = await startTemporal();
    const [host, port] = temporal.config.address.split(':');
    database = await createDatabase();
    toTemporal = await startProxy({ host: host!, port: Number(port) });
    env = {
      DATABASE_URL: database.url,
      ...temporal.env,
      TEMPORAL_ADDRESS: toTemporal.address,
      KW_SECRET: 'a-secret-of-the-tests-alone',
      KW_PUBLIC_URL: 'http://127.0.0.1:8080',
      KW_DATA_DIR: temporaryFolder(),
      PATH: process.env['PATH'] ?? '',
    };
  });
  after(async () => {
    await toTemporal.stop();
    await database.drop();
  });

  const probe = async (address: string, path: string): Promise<Probe | null> =>
    await fetch(`http://${address}${path}`).then(
      async (answer) => ({ status: answer.status, body: (await answer.json()) as Probe['body'] }),
      () => null,
    );
  const run = (settings: Record<string, string>, ...args: readonly string[]) => {
    const child = spawn(process.execPath, [kw, ...args], {
      env: settings,
      cwd: temporaryFolder(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    atExit(() => child.kill('SIGKILL'));
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    return Object.assign(child, { output: () => output });
  };

  it('of a worker: alive but not ready while Temporal is down, before it starts and after', async () => {
    const address = `127.0.0.1:${await reservePort()}`;
    const sdkAddress = `localhost:${await reservePort()}`;
    const settings = {
      ...env,
      KW_WORKER_HEALTH_ADDRESS: address,
      KW_WORKER_METRICS_ADDRESS: address,
      KW_TEMPORAL_METRICS_ADDRESS: sdkAddress,
    };
    await toTemporal.set('refuse');
    const worker = run(settings, 'worker');
    const isReady = async (): Promise<boolean> => (await probe(address, '/health/ready'))?.status === 200;
    await eventually(async () => (await probe(address, '/health/live'))?.status === 200);
    const early = await probe(address, '/health/ready');
    assert.equal(early?.status, 503);
    assert.deepEqual(
      Object.entries(early.body.checks).map(([part, { status }]) => `${part}: ${status}`),
      ['postgresql: ok', 'temporal: error', 'object_store: ok', 'worker: error'],
    );
    assert.match(await healthCheck(worker.pid!, settings), /^503 .*"temporal":\{"status":"error"/);

    await toTemporal.set('pass');
    await eventually(isReady);
    await eventually(async () => (await healthCheck(worker.pid!, settings)) === 'healthy');
    assert.match(await (await fetch(`http://${address}/metrics`)).text(), /process_cpu/);
    assert.match(await (await fetch(`http://${sdkAddress}/metrics`)).text(), /temporal_/);
    // Targets that are no URLs.
    const pathless = await exchange(
      `http://${address}`,
      'HEAD // HTTP/1.1\r\nHost: a\r\n\r\nHEAD http:// HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    );
    assert.deepEqual(
      pathless.map(({ status }) => status),
      [404, 404],
    );
    assert.equal((await fetch(`http://${address}/health/live?now`)).status, 200);

    await toTemporal.set('refuse');
    await eventually(async () => !(await isReady()));
    assert.equal((await probe(address, '/health/live'))?.status, 200);
    await toTemporal.set('pass');
    await eventually(isReady);
    worker.kill('SIGTERM');
    const [code] = (await once(worker, 'exit')) as [number];
    assert.equal(code, 0);
  });

  it('of the image match the command that runs: a job is not probed', async () => {
    const settings = { ...env, PORT: String(await reservePort()) };
    const job = spawn('sh', ['-c', 'read line', 'kw', 'migrate'], { stdio: ['pipe', 'ignore', 'ignore'] });
    const gone = spawn('sh', ['-c', 'read line', 'kw', 'serve'], { stdio: ['pipe', 'ignore', 'ignore'] });
    assert.equal(await healthCheck(job.pid!, settings), 'healthy');
    assert.match(await healthCheck(gone.pid!, settings), /fetch failed/);
    for (const child of [job, gone]) child.kill();
  });

  it("of an API and the image's health check; Ctrl-C ends an upload that outlasts the grace period, and it is logged, like one that its client aborted", async () => {
    const port = await reservePort();
    const settings = {
      ...env,
      PORT: String(port),
      KW_DRAIN_SECONDS: '3600',
      KW_SHUTDOWN_GRACE_SECONDS: '0.5',
    };
    await toTemporal.set('pass');
    const api = run(settings, 'serve');
    await eventually(async () => (await probe(`127.0.0.1:${port}`, '/health/ready'))?.status === 200);
    await eventually(async () => (await healthCheck(api.pid!, settings)) === 'healthy');
    const { key } = await createApiKey(database.db, { name: 'tests', scopes: ['admin'] });
    const headers = { authorization: `Bearer ${key}` };
    /** An upload that the API has taken on. */
    const begin = async (): Promise<ClientRequest> => {
      const upload = request({
        port,
        path: '/api/v1/resources',
        method: 'POST',
        headers: {
          ...headers,
          'content-type': 'multipart/form-data; boundary=b',
          expect: '100-continue',
        },
      });
      upload.on('error', () => undefined);
      upload.flushHeaders();
      await once(upload, 'continue');
      upload.write('--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nbroken\r\n');
      upload.write('--b\r\nContent-Disposition: form-data; name="file"; filename="f.txt"\r\n\r\nsome');
      return upload;
    };
    const lines = () =>
      api
        .output()
        .split('\n')
        .filter((line) => line.includes('"method":"POST"'))
        .map((line) => (JSON.parse(line) as { status: number }).status);
    (await begin()).destroy();
    await eventually(() => lines().length === 1);
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text();
    const counted = metrics.split('\n').filter((line) => /duration_seconds_count\{method="POST"/.test(line));
    assert.deepEqual(counted, [
      'kw_http_request_duration_seconds_count{method="POST",route="/api/v1/resources",status="499"} 1',
    ]);

    const cut = await begin();
    const ended = new Promise((resolve) => cut.once('close', resolve));
    // Ctrl-C waits only for running requests.
    api.kill('SIGINT');
    assert.deepEqual(await once(api, 'exit'), [0, null], api.output());
    assert.match(api.output(), /API is stopping/);
    await ended;
    assert.deepEqual(lines(), [499, 503]);
  });
});
