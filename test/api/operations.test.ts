import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { closeServer, createHttpServer, listen } from '../../api/server/http-server.js';
import { ServiceError } from '../../core/errors.js';
import { countRepairs } from '../../storage/sweeps/repairs.js';
import { startApi, type TestApi } from '../support/api.js';

describe('operations', () => {
  let api: TestApi;
  let temporal: () => Promise<void>;

  before(async () => {
    api = await startApi({ workflows: { check: () => temporal() } });
  });
  after(() => api.stop());
  beforeEach(() => (temporal = () => Promise.resolve()));

  const ready = (): ReturnType<TestApi['call']> =>
    api.call('GET', '//health/ready', undefined, { bearer: null });

  it('tell a process that lives from one that is ready, and name what is missing', async () => {
    assert.deepEqual((await api.call('GET', '//health/live', undefined, { bearer: null })).body, {
      status: 'ok',
    });
    const ok = { status: 'ok' };
    const fine = await ready();
    assert.deepEqual(
      [fine.status, fine.body],
      [200, { status: 'ok', checks: { postgresql: ok, temporal: ok, object_store: ok } }],
    );
    temporal = () => Promise.reject(new ServiceError('TEMPORAL_UNAVAILABLE', 'Temporal cannot be reached.'));
    const away = await ready();
    assert.deepEqual(
      [away.status, away.body.error.code, away.headers.get('retry-after')],
      [503, 'TEMPORAL_UNAVAILABLE', '5'],
    );
    assert.deepEqual(away.body.checks, {
      postgresql: ok,
      temporal: { status: 'error', message: 'Temporal cannot be reached.' },
      object_store: ok,
    });
    temporal = () => new Promise(() => undefined);
    const begun = Date.now();
    assert.equal((await ready()).body.checks.temporal.message, 'It does not answer in time.');
    assert.ok(Date.now() - begun < 3000);
  });

  it('measure requests by route, the process and the outbox', async () => {
    await api.call('PUT', '/plugins/w', { name: 'W', kind: 'activity', task_queue: 'q', activity_type: 'a' });
    await api.call('POST', '/pipelines', {
      name: 'P',
      trigger_type: 'document',
      steps: [{ plugin_id: 'w' }],
    });
    await api.upload();
    await api.call('GET', '/resources/none');
    const { text, headers } = await api.call('GET', '//metrics', undefined, {
      bearer: await api.key('read'),
    });
    assert.match(headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
    assert.match(
      text,
      /^kw_http_request_duration_seconds_count\{method="GET",route="\/api\/v1\/resources\/:id",status="404"\} 1$/m,
    );
    assert.match(text, /^kw_outbox_messages 1$/m);
    assert.match(text, /^process_resident_memory_bytes \d+$/m);
  });

  it('show what sweeps of any process repaired, every kind of it', async () => {
    const shown = async (): Promise<string[]> =>
      (await api.call('GET', '//metrics')).text
        .split('\n')
        .filter((line) => line.startsWith('kw_reconciled_total'));
    const before = await shown();
    assert.ok(before.includes('kw_reconciled_total{kind="run_ended"} 0'), before.join('\n'));
    await countRepairs(api.deps.db, 'run_ended', 2);
    await countRepairs(api.deps.db, 'run_ended', 3);
    const after = before.map((line) => line.replace('"run_ended"} 0', '"run_ended"} 5'));
    assert.deepEqual(await shown(), after);
  });

  it('register a resource though the real Temporal client reaches nobody', async () => {
    const other = await startApi({ workflows: null, env: { KW_TEMPORAL_TIMEOUT_SECONDS: '1' } });
    await other.call('PUT', '/plugins/w', {
      name: 'W',
      kind: 'activity',
      task_queue: 'q',
      activity_type: 'a',
    });
    await other.call('POST', '/pipelines', {
      name: 'P',
      trigger_type: 'document',
      steps: [{ plugin_id: 'w' }],
    });
    const registered = await other.upload();
    assert.deepEqual([registered.status, registered.body.status], [201, 'PROCESSING']);
    const begun = Date.now();
    const read = await other.call('GET', `/resources/${registered.body.id}`);
    assert.ok(Date.now() - begun < 1500);
    assert.match(read.body.steps[0].waiting_for.message, /Temporal does not answer/);
    const cancelled = await other.call('POST', `/resources/${registered.body.id}/cancel`);
    assert.equal(cancelled.body.status, 'CANCELLED');
    await other.stop();
  });

  it('close a server when the answers on their way have gone out, at the latest after a grace', async () => {
    for (const [takes, grace, complete] of [
      [200, 5000, true],
      [5000, 200, false],
    ] as const) {
      const server = createHttpServer((_request, response) => {
        setTimeout(() => response.end('done'), takes).unref();
      });
      await listen(server, '127.0.0.1', 0);
      const { port } = server.address() as { port: number };
      const socket = connect(port, '127.0.0.1');
      let answer = '';
      socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      await once(server, 'request');
      const begun = Date.now();
      await closeServer(server, grace);
      assert.ok(Date.now() - begun < 1500);
      if (!socket.closed) await once(socket, 'close');
      assert.equal(answer.endsWith('done'), complete);
    }
  });
});
