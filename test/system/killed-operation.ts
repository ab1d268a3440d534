import assert from 'node:assert/strict';
import { connectDatabase, type Db } from '../../storage/database/connection.js';
import { eventually } from '../support/eventually.js';
import { isFull } from '../support/full.js';
import { createRestClient, type RestClient } from '../support/service/rest-client.js';
import type { TestStack } from '../support/service/stack.js';

const resources = isFull ? 10_000 : 25;
const kills = isFull ? 10 : 1;

/** Declares a test that kills the API and the worker of a stack, which are started again. */
export const describeKilledOperation = (stackOf: () => TestStack): unknown =>
  describe('a bulk operation whose API and worker are killed', function () {
    // After each kill the heartbeat of the part at work has to run out first: ten kills take minutes.
    if (isFull) this.timeout(1_500_000);

    let client: RestClient;
    let db: Db;

    before(async () => {
      client = createRestClient(stackOf());
      db = connectDatabase(stackOf().stack().database_url, { poolSize: 2 });
      // There is no text to cut, so each run ends at once: what counts is how many runs there are.
      const step = { plugin_id: 'chunk-text', max_attempts: 1, backoff_seconds: 0, timeout_seconds: 60 };
      await client.expect(201, 'POST', '/pipelines', { name: 'many', trigger_type: 'many', steps: [step] });
      await db.raw(
        `insert into resources (id, name, type, source_type, status)
       select gen_random_uuid(), 'resource ' || n, 'many', 'UPLOAD', 'PENDING' from generate_series(1, ?) as n`,
        [resources],
      );
    });
    after(async () => {
      await db.destroy();
    });

    /** Returns how many resources have an outcome. Asks the database, because the API may be dead. */
    async function settled(id: string): Promise<number> {
      const [row] = (await db('operation_counts').where({ operation_id: id }).sum('count as sum')) as {
        sum: number | null;
      }[];
      return row?.sum ?? 0;
    }

    const kill = (name: 'api' | 'worker'): void => {
      process.kill(stackOf().stack().processes[name] ?? 0, 'SIGKILL');
    };

    it('does each resource exactly once', async () => {
      const body = { action: 'reprocess', filter: { type: 'many' } };
      const { id, matched } = await client.expect(202, 'POST', '/operations', body);
      assert.equal(matched, resources);
      for (let round = 0, seen = 0; round < kills; round += 1) {
        const before = seen;
        seen = await eventually(
          async () => {
            const now = await settled(id);
            return now > before && now;
          },
          { intervalMs: 5 },
        );
        assert.ok(seen < resources, 'it was in the middle');
        kill('worker');
        kill('api');
      }
      await eventually(
        async () => (await db('operations').where({ id }).first('status')).status === 'COMPLETED',
        {
          timeoutMs: isFull ? 1_200_000 : 500_000,
        },
      );
      const operation = await eventually(() =>
        client.expect(200, 'GET', `/operations/${id}`).catch(() => null),
      );
      assert.deepEqual([operation.done, operation.skipped, operation.failed], [resources, {}, {}]);
      const [runs] = await db('runs')
        .whereIn('resource_id', db('resources').where({ type: 'many' }).select('id'))
        .select(db.raw('count(*) as count, max(run) as last'));
      assert.deepEqual([Number(runs.count), runs.last], [resources, 1]);
    });
  });
