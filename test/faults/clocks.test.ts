import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';
import { createDatabaseClock } from '../../runtime/database-clock.js';
import { createWorkflowClient, type WorkflowClientOptions } from '../../runtime/temporal/workflow-client.js';
import { startCore, type TestCore } from '../support/service/core.js';
import { eventually } from '../support/eventually.js';
import { startHttpWorker, type HttpWorker } from '../support/workers/http-worker.js';
import { startService, type Service } from '../support/service/service.js';
import { temporaryFolder } from '../support/temporary.js';

const hourMs = 3_600_000;
const shift = ['--import', pathToFileURL(resolve('test/support/shift-clock.mjs')).href];
/** A single attempt: one that a wrong clock fails would fail the resource. */
const once = { max_attempts: 1, backoff_seconds: 0, timeout_seconds: 60 };

describe('clocks that differ', () => {
  let core: TestCore;
  let worker: HttpWorker;
  let env: Record<string, string>;

  before(async () => {
    worker = await startHttpWorker();
    const objects = temporaryFolder();
    core = await startCore({ plugins: [], env: { KW_DATA_DIR: objects } });
    await core.stopWorker();
    const { databaseUrl, temporal, publicUrl, dataDir } = core.deps.config;
    env = {
      DATABASE_URL: databaseUrl,
      TEMPORAL_ADDRESS: temporal.address,
      TEMPORAL_NAMESPACE: temporal.namespace,
      KW_SECRET: 'a-secret-of-the-tests-alone',
      KW_PUBLIC_URL: publicUrl,
      KW_DATA_DIR: dataDir,
      KW_PLUGIN_HOSTS: '127.0.0.1',
      KW_LOG_FORMAT: 'json',
    };
    const { status, body } = await core.call('POST', '/plugins', {
      id: 'remote',
      name: 'Remote',
      kind: 'http',
      endpoint: worker.endpoint,
    });
    assert.equal(status, 201, JSON.stringify(body));
  });
  after(async () => {
    await core.stop();
    await worker.stop();
  });

  for (const [side, sign] of [
    ['ahead', 1],
    ['behind', -1],
  ] as const)
    it(`a worker whose clock is an hour ${side} processes resources, and warns`, async () => {
      const late: Service = await startService(
        'worker',
        { ...env, KW_TEST_CLOCK_SHIFT_MS: `${sign * hourMs}` },
        [],
        shift,
      );
      try {
        const { body: plugins } = await core.call('GET', '/plugins');
        assert.ok(plugins.items.some(({ id }: { id: string }) => id === 'extract-text'));
        await core.pipeline(side, { plugin_id: 'extract-text', ...once }, { plugin_id: 'remote', ...once });
        worker.handle = (step) => {
          const sentAt = Number(step.headers['webhook-timestamp']) * 1_000;
          const { remaining_ms: remainingMs } = step.message.attempt;
          // A worker that checks signatures takes messages of the last five minutes alone.
          if (Math.abs(Date.now() - sentAt) > 300_000) return { status: 401 };
          if (remainingMs < 30_000 || remainingMs > 60_000) return { status: 400 };
          void eventually(async () => (await worker.report(step, { status: 'SUCCESS' })).status === 200);
          return { status: 202 };
        };
        const { id } = await core.upload(side, 'some text');
        const { status, error, steps } = await core.settled(id);
        assert.deepEqual([status, error], ['COMPLETED', null], JSON.stringify(steps));
        const warnings = late.output().match(new RegExp(`3600 s ${side}`, 'g'));
        assert.equal(warnings?.length, 1, late.output());
      } finally {
        await late.stop();
      }
    });

  it('end no cancelled run that may still react', async () => {
    // The clock of this process is an hour ahead of Temporal's.
    const scheduledAt = Date.now() - hourMs;
    const described = {
      workflowExecutionInfo: { status: 1 },
      pendingWorkflowTask: { attempt: 1, originalScheduledTime: { seconds: scheduledAt / 1_000 } },
    };
    const terminate = (): void => assert.fail('It had a second.');
    const workflows = createWorkflowClient({
      client: { workflow: { getHandle: () => ({ terminate }) } },
      connection: {
        withDeadline: (_: number, work: () => unknown) => work(),
        workflowService: { describeWorkflowExecution: () => Promise.resolve(described) },
      },
      now: () => scheduledAt + 1_000,
    } as unknown as WorkflowClientOptions);
    assert.equal(await workflows.terminateOverdue('id', 1, 60_000), false);
  });

  it('are logged once for each change', async () => {
    const lines: string[] = [];
    const told = {
      warn: (_: unknown, message?: string) => void lines.push(message ?? ''),
      info: (message: unknown) => void lines.push(String(message)),
    };
    let aheadMs = 0;
    const clock = createDatabaseClock(() => Promise.resolve(new Date(Date.now() - aheadMs)), told, 0);
    for (const next of [1_000, 10_000, 11_000, -hourMs, -hourMs, 0, 0]) {
      aheadMs = next;
      await clock.compare();
      assert.ok(Math.abs(clock.now() - (Date.now() - next)) < 1_000);
    }
    assert.deepEqual(
      lines.map((line) => /10 s ahead|3600 s behind|agrees/.exec(line)?.[0]),
      ['10 s ahead', '3600 s behind', 'agrees'],
    );
  });
});
