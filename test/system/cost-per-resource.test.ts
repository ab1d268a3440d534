import assert from 'node:assert/strict';
import { startCore, type TestCore } from '../support/service/core.js';
import { startCountedTemporal, type CountedTemporal } from '../support/servers/counted-temporal.js';
import { eventually } from '../support/eventually.js';
import { noop } from '../support/workers/no-op-plugin.js';
import { connectDatabase, type Db } from '../../storage/database/connection.js';

type Counts = Readonly<Record<string, number>>;

/**
 * What one resource of three steps that do nothing costs, from POST until nothing of it is left to do. A number that
 * falls is to be lowered here; one that rises is to be explained.
 */
const expected = {
  /** Statements, by their first word. */
  sql: {
    begin: 7,
    commit: 7,
    select: 22,
    // The entry of the audit.
    insert: 1,
    update: 3,
    delete: 1,
    // Several changes at once; the resource, which locks its pipeline.
    with: 10,
  },
  /** Calls to Temporal of API and worker, by method; polls are left out. */
  temporal: {
    StartWorkflowExecution: 1,
    // The first schedules the first step; each of the others tells of a step and schedules the next.
    RespondWorkflowTaskCompleted: 4,
    RespondActivityTaskCompleted: 3,
  },
  /** Requests to the object store. */
  store: { 'put ok': 1 },
} as const satisfies Record<string, Counts>;

/** Of as many resources, one after the other, the cheapest counts: a process may do something of its own beside one. */
const resources = 3;

describe('the cost of one resource of three no-op steps', () => {
  let core: TestCore;
  let temporal: CountedTemporal;
  /** Asks what is uncounted. */
  let beside: Db;
  const statements: string[] = [];
  const costs: { sql: Counts; temporal: Counts; store: Counts }[] = [];

  before(async () => {
    temporal = await startCountedTemporal();
    core = await startCore({
      plugins: [noop],
      env: { TEMPORAL_ADDRESS: temporal.address, TEMPORAL_NAMESPACE: 'default' },
    });
    await core.stopSweeps();
    beside = connectDatabase(core.deps.config.databaseUrl, { poolSize: 1 });
    core.deps.db.client.on('query', ({ sql }: { sql: string }) => statements.push(sql));
    await core.pipeline('nothing', ...Array.from({ length: 3 }, () => ({ plugin_id: 'noop' })));
    // The first one has connections made and statements of the process's own sent.
    for (let index = 0; index <= resources; index++) {
      const cost = await costOf(() => processOne());
      if (index > 0) costs.push(cost);
    }
  });
  after(async () => {
    await beside.destroy();
    await core.stop();
    await temporal.stop();
  });

  async function processOne(): Promise<void> {
    const { id } = await core.upload('nothing');
    await eventually(async () => {
      const { rows } = await beside.raw<{ rows: unknown[] }>(
        `select from resources where id = ? and status = 'COMPLETED' and not exists (select from outbox)`,
        [id],
      );
      return rows.length > 0;
    });
  }

  async function costOf(work: () => Promise<void>): Promise<(typeof costs)[number]> {
    const before = { temporal: await temporal.calls(), store: await storeUse(), sql: statements.length };
    await work();
    // What happens last comes after the row was written, and the server counts by the second.
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    return {
      sql: countedBy(
        statements.slice(before.sql),
        (sql) => /^\w+/.exec(sql.trim())?.[0].toLowerCase() ?? sql,
      ),
      temporal: difference(await temporal.calls(), before.temporal),
      store: difference(await storeUse(), before.store),
    };
  }

  async function storeUse(): Promise<Counts> {
    const metric = core.deps.measured.registry.getSingleMetric('kw_object_store_operation_duration_seconds');
    const values = (await metric!.get()).values as { metricName: string; value: number; labels: any }[];
    return Object.fromEntries(
      values
        .filter(({ metricName }) => metricName.endsWith('_count'))
        .map(({ labels, value }) => [`${labels.operation} ${labels.outcome}`, value]),
    );
  }

  for (const part of ['sql', 'temporal', 'store'] as const)
    it(`${part}: as documented in the table`, () => {
      const cheapest = costs.reduce((best, cost) => (sum(cost[part]) < sum(best[part]) ? cost : best));
      assert.deepEqual(cheapest[part], expected[part], JSON.stringify(costs.map((cost) => cost[part])));
    });
});

function sum(counts: Counts): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

function countedBy<T>(values: readonly T[], name: (value: T) => string): Counts {
  const counts: Record<string, number> = {};
  for (const value of values) counts[name(value)] = (counts[name(value)] ?? 0) + 1;
  return counts;
}

function difference(after: Counts, before: Counts): Counts {
  return Object.fromEntries(
    Object.entries(after)
      .map(([name, count]) => [name, count - (before[name] ?? 0)] as const)
      .filter(([, count]) => count > 0),
  );
}
