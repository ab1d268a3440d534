import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { newSigningSecret, signMessage } from '@knowledge-warehouse/plugin/signing';
import { createApiKey } from '../../storage/auth/api-keys.js';
import { atExit } from '../support/at-exit.js';
import { eventually } from '../support/eventually.js';
import type { RestClient } from '../support/service/rest-client.js';
import { startWebService, type WebService } from '../support/browser/web-service.js';

/** A line that the program wrote down. `at` is in seconds. */
interface Note {
  readonly event: 'listening' | 'refused' | 'step' | 'read' | 'report' | 'answer';
  readonly at: number;
  readonly endpoint?: string;
  readonly resource?: string;
  readonly attempt?: number;
  readonly max?: number;
  readonly text?: string;
  readonly status?: string;
  readonly answer?: unknown;
}

const plugin = 'shouts';
const backoffSeconds = 2;
const timeoutSeconds = 5;

describe('an HTTP worker in Python, with only the standard library', () => {
  let service: WebService;
  let client: RestClient;
  let python: ChildProcess;
  let endpoint: string;
  const notes: Note[] = [];

  before(async () => {
    service = await startWebService();
    ({ client } = service);
    const { key } = await createApiKey(service.core.deps.db, {
      name: 'python',
      scopes: [`plugin:${plugin}`],
    });
    python = spawn('python3', [fileURLToPath(new URL('python_worker.py', import.meta.url))], {
      env: { PATH: process.env['PATH'], KW_URL: service.api, KW_KEY: key, KW_PLUGIN: plugin },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    atExit(() => python.kill('SIGKILL'));
    createInterface({ input: python.stdout! }).on('line', (line) => notes.push(JSON.parse(line) as Note));
    endpoint = await eventually(() => notes.find(({ event }) => event === 'listening')?.endpoint);

    const pipeline = (trigger_type: string, bounds: object): Promise<unknown> =>
      client.expect(201, 'POST', '/pipelines', {
        name: trigger_type,
        trigger_type,
        steps: [{ plugin_id: plugin, ...bounds }],
      });
    await pipeline('shout', { max_attempts: 3, backoff_seconds: backoffSeconds, timeout_seconds: 30 });
    await pipeline('hasty', { max_attempts: 2, backoff_seconds: 0.5, timeout_seconds: timeoutSeconds });
  });
  after(async () => {
    python.kill('SIGKILL');
    await service.stop();
  });

  const noted = (resource: string, event: Note['event']): Note[] =>
    notes.filter((note) => note.resource === resource && note.event === event);

  it('accepts a signed step, reads the source and reports success', async () => {
    const { id } = await client.upload('shout', { text: 'succeed' });
    const resource = await client.settled(id);
    assert.equal(resource.status, 'COMPLETED', JSON.stringify(resource.error));
    assert.equal((await client.artifact(resource, 'shout')).content, 'SUCCEED');
    assert.deepEqual(resource.artifacts[0].metadata, { attempt: 1 });
    const [step, ...others] = noted(id, 'step');
    assert.deepEqual([step?.attempt, step?.max, others], [1, 3, []]);
    assert.deepEqual(
      noted(id, 'read').map(({ text }) => text),
      ['succeed'],
    );
    const answer = await eventually(() => noted(id, 'answer')[0]?.answer);
    assert.deepEqual(answer, { accepted: true, duplicate: false, cancel_requested: false });
  });

  it('rejects a message signed by somebody else', async () => {
    const body = JSON.stringify({ protocol: 'kw.step/1' });
    const headers = signMessage([newSigningSecret()], body);
    const before = notes.length;
    const response = await fetch(endpoint, { method: 'POST', body, headers });
    assert.equal(response.status, 401);
    await eventually(() => notes.slice(before).some(({ event }) => event === 'refused'));
  });

  it('reports a failure and is called again after the backoff', async () => {
    const { id } = await client.upload('shout', { text: 'fail once' });
    const retrying = await eventually(async () => {
      const { steps } = await client.expect(200, 'GET', `/resources/${id}`);
      return steps[0].status === 'RETRYING' && steps[0];
    });
    assert.deepEqual([retrying.error.code, retrying.waiting_for.kind], ['TOO_EARLY', 'retry']);

    const resource = await client.settled(id);
    assert.deepEqual([resource.status, resource.steps[0].attempt], ['COMPLETED', 2]);
    assert.equal((await client.artifact(resource, 'shout')).content, 'FAIL ONCE');
    assert.deepEqual(
      noted(id, 'report').map(({ status }) => status),
      ['FAILURE', 'SUCCESS'],
    );
    const pause = noted(id, 'step')[1]!.at - noted(id, 'report')[0]!.at;
    assert.ok(pause >= backoffSeconds, `${pause} s`);
  });

  it('never reports: each attempt times out, and in the end the resource shows why', async () => {
    const { id } = await client.upload('hasty', { text: 'keep silent' });
    const { status, error, steps } = await client.settled(id);
    assert.deepEqual([status, error.code, error.step], ['FAILED', 'STEP_TIMED_OUT', 0]);
    assert.deepEqual([steps[0].status, steps[0].error.code], ['FAILED', 'STEP_TIMED_OUT']);
    const { items } = await client.expect(200, 'GET', `/resources/${id}/attempts`);
    // On a busy machine, a delivery can be interrupted, which does not count as one of the two attempts.
    const timedOut = items.filter((item: any) => item.error?.code === 'STEP_TIMED_OUT');
    assert.equal(timedOut.length, 2);
    assert.equal(Math.max(...timedOut.map((item: any) => item.number)), steps[0].attempt);
    const taken = new Set(noted(id, 'step').map(({ attempt }) => attempt));
    assert.ok(timedOut.every((item: any) => taken.has(item.number)));
    assert.deepEqual(noted(id, 'report'), []);
  });
});
