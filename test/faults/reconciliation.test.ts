import assert from 'node:assert/strict';
import type { Client } from '@temporalio/client';
import pLimit from 'p-limit';
import { uuidv7, runWorkflowId } from '../../core/ids.js';
import { workflowNames } from '../../core/runs/run-protocol.js';
import { loadConfig } from '../../runtime/settings/config.js';
import { connectTemporal, type TemporalClient } from '../../runtime/temporal/connection.js';
import { createDeps, type Deps } from '../../runtime/deps.js';
import { startSweeper, type Sweeper } from '../../runtime/sweeps/sweeper.js';
import { eventually } from '../support/eventually.js';
import { isFull } from '../support/full.js';
import { createDatabase, type TestDatabase } from '../support/servers/postgres.js';
import { assertRepairs } from '../support/service/repairs.js';
import { startTemporal } from '../support/servers/temporal.js';
import { temporaryFolder } from '../support/temporary.js';

/** Runs at work, each with its workflow. KW_TEST_RUNS makes it more. */
const many = Number(process.env['KW_TEST_RUNS'] ?? (isFull ? 1_000 : 30));

describe(`of ${many} runs at work`, () => {
  let database: TestDatabase;
  let deps: Deps;
  let sweepers: readonly Sweeper[];
  let temporal: TemporalClient;
  let client: Client;
  const ids = Array.from({ length: many }, () => uuidv7());

  before(async () => {
    const { env, config: temporalConfig } = await startTemporal();
    database = await createDatabase();
    const config = loadConfig({
      DATABASE_URL: database.url,
      ...env,
      KW_SECRET: 'a-secret-of-the-tests-alone',
      KW_PUBLIC_URL: 'http://127.0.0.1',
      KW_DATA_DIR: temporaryFolder(),
      KW_LOG_LEVEL: 'error',
    });
    deps = await createDeps(config, 'test');
    temporal = await connectTemporal(temporalConfig);
    ({ client } = temporal);
    await insertRuns(deps, ids);
    const limit = pLimit(50);
    await Promise.all(
      ids.map((id) =>
        limit(() =>
          client.workflow.start(workflowNames.processResource, {
            workflowId: runWorkflowId(id, 1),
            // Nobody works here: they stay as they are.
            taskQueue: 'held',
            args: [{}],
          }),
        ),
      ),
    );
    // As often as an installation looks, in two processes.
    sweepers = [1, 2].map(() => startSweeper(deps.sweeps, config.sweepIntervalSeconds, deps.log));
  });
  after(async () => {
    await Promise.all(sweepers.map((sweeper) => sweeper.stop()));
    await deps.close();
    await temporal.close();
    await database.drop();
  });

  it('those that an operator terminates are FAILED within a minute, and no others', async () => {
    const [first, last] = [ids[0]!, ids.at(-1)!];
    for (const id of [first, last])
      await client.workflow.getHandle(runWorkflowId(id, 1)).terminate('by hand');
    const failed = await eventually(async () => {
      const rows: { id: string; error: string }[] = await deps
        .db('resources')
        .select('id', 'error')
        .where({ status: 'FAILED' });
      return rows.length >= 2 && rows;
    });
    assert.deepEqual(failed.map(({ id }) => id).sort(), [first, last].sort());
    for (const { error } of failed)
      assert.equal((JSON.parse(error) as { code: string }).code, 'WORKFLOW_TERMINATED');
    await assertRepairs(deps.db, 'run_ended', 2);
  });

  it('one whose workflow timed out is FAILED within a minute, and so is its step', async () => {
    const id = uuidv7();
    const handle = await client.workflow.start(workflowNames.processResource, {
      workflowId: runWorkflowId(id, 1),
      taskQueue: 'held',
      args: [{}],
      workflowExecutionTimeout: '1s',
    });
    await insertRuns(deps, [id]);
    await eventually(async () => (await handle.describe()).status.name === 'TIMED_OUT');
    const { status, error } = await eventually(async () => {
      const row: { status: string; error: string | null } = await deps.db('resources').where({ id }).first();
      return row.status !== 'PROCESSING' && row;
    });
    assert.deepEqual(
      [status, JSON.parse(error ?? 'null')],
      ['FAILED', { code: 'WORKFLOW_TIMED_OUT', message: 'The workflow of this run timed out.', step: 0 }],
    );
    const [run] = await deps.db('runs').where({ resource_id: id });
    const [step] = await deps.db('steps').where({ resource_id: id });
    assert.deepEqual([run.status, step.status], ['FAILED', 'FAILED']);
    await assertRepairs(deps.db, 'run_ended', 3);
  });

  it('one that was reset continues: its workflow was terminated, and has a successor', async () => {
    const id = ids[1]!;
    const handle = client.workflow.getHandle(runWorkflowId(id, 1));
    await handle.terminate('to begin anew');
    const { runId } = await client.workflow
      .start(workflowNames.processResource, { workflowId: handle.workflowId, taskQueue: 'held', args: [{}] })
      .then(() => handle.describe());
    const { runs } = await eventually(async () => {
      const closed: string[] = [];
      for await (const page of deps.workflows.closedRuns(new Date(Date.now() - 60_000)))
        closed.push(...page.map(({ resourceId }) => resourceId));
      return closed.includes(id) && { runs: closed };
    });
    assert.ok(runs.length >= 3 && runId !== '');
    // Two whole rounds after Temporal's list names it.
    for (let round = 0; round < 2; round++) {
      await deps.db('sweeps').where({ name: 'closed runs' }).update({ due_at: new Date(), position: null });
      await eventually(
        async () => (await deps.db('sweeps').where({ name: 'closed runs' }).first()).position !== null,
      );
    }
    assert.equal((await deps.db('resources').where({ id }).first()).status, 'PROCESSING');
  });

  it('one that Temporal lost is started again, whatever else is running', async () => {
    const [lost] = [ids[2]!];
    const row = { resource_id: lost, run: 1 };
    await temporal.connection.workflowService.deleteWorkflowExecution({
      namespace: deps.config.temporal.namespace,
      workflowExecution: { workflowId: runWorkflowId(lost, 1) },
    });
    await eventually(async () => (await deps.workflows.runStatus(lost, 1)) === 'UNKNOWN');
    const quiet = deps.db.raw("now() - interval '2 minutes'");
    await deps.db('runs').where(row).update({ checked_at: quiet });
    await eventually(
      async () => {
        await deps.db('sweeps').where({ name: 'lost runs' }).update({ due_at: new Date() });
        return (await deps.db('runs').where(row).first()).missing_since !== null;
      },
      { intervalMs: 500 },
    );
    await deps.db('runs').where(row).update({ checked_at: quiet, missing_since: quiet });
    await eventually(
      async () => {
        await deps.db('sweeps').where({ name: 'lost runs' }).update({ due_at: new Date() });
        return (await deps.workflows.runStatus(lost, 1)) === 'OPEN';
      },
      { intervalMs: 500 },
    );
    await assertRepairs(deps.db, 'run_restarted', 1);
  });
});

async function insertRuns({ db }: Deps, ids: readonly string[]): Promise<void> {
  const resource = { name: 'x', type: 'x', source_type: 'UPLOAD', status: 'PROCESSING', run: 1 };
  const run = { run: 1, status: 'PROCESSING', source_ready: true };
  const step = {
    run: 1,
    index: 0,
    plugin_id: 'p',
    kind: 'activity',
    task_queue: 'held',
    activity_type: 'p',
    max_attempts: 1,
    backoff_seconds: 0,
    timeout_seconds: 600,
    status: 'RUNNING',
  };
  await db.batchInsert(
    'resources',
    ids.map((id) => ({ ...resource, id })),
    500,
  );
  await db.batchInsert(
    'runs',
    ids.map((id) => ({ ...run, resource_id: id, workflow_id: runWorkflowId(id, 1) })),
    500,
  );
  await db.batchInsert(
    'steps',
    ids.map((id) => ({ ...step, resource_id: id })),
    500,
  );
}
