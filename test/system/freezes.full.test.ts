import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';
import type { Answer } from '../support/service/core.js';
import { eventually } from '../support/eventually.js';
import { startFleet, type Fleet } from '../support/service/fleet.js';
import { connectMcp } from '../support/service/mcp.js';
import { temporaryFolder } from '../support/temporary.js';

const freezeMs = 35_000;
/** Which processes stand still together: APIs are 0 and 1, workers 2 and 3. */
const freezes = [
  [0, 2],
  [1, 3],
  [0, 1, 2, 3],
];

describe('processes that freeze for more than half a minute', function () {
  this.timeout(40 * 60_000);
  let fleet: Fleet;
  const reported = new Map<string, number>();

  before(async () => {
    fleet = await startFleet({
      KW_SECRET: 'a-secret-that-all-of-them-share',
      KW_SEARCH_URI: `lancedb:${temporaryFolder()}`,
      KW_SEED: 'false',
    });
    const { client, plugin } = fleet;
    const steps = ['extract-text', 'chunk-text', 'notes'].map((plugin_id) => ({
      plugin_id,
      max_attempts: 20,
      backoff_seconds: 1,
      timeout_seconds: 120,
    }));
    await client.expect(201, 'POST', '/pipelines', { name: 'Texts', trigger_type: 'text', steps });
    plugin.handle = (step) => {
      const { id } = step.message.resource;
      void pause(200).then(async () => {
        const artifact = { type: 'note', content_type: 'text', content: step.message.resource.name };
        const answer = await eventually(() => plugin.report(step, { status: 'SUCCESS', artifact }));
        if (answer.body.accepted === true && answer.body.duplicate === false)
          reported.set(`${id}/${step.message.run}`, (reported.get(`${id}/${step.message.run}`) ?? 0) + 1);
      });
      return { status: 202 };
    };
  });
  after(() => fleet.stop());

  it('lose, duplicate and block nothing: uploads, searches, bulk operations, keys and MCP tools', async () => {
    const { client, database, balancer, services, adminKey } = fleet;
    const made: string[] = [];
    const operations: string[] = [];
    const kept: { id: string; key: string }[] = [];
    const ended: string[] = [];
    const counts = { searches: 0, tools: 0, retries: 0 };
    const unexpected: string[] = [];
    let over = false;
    const repeat = async (
      what: string,
      ms: number,
      work: (number: number) => Promise<void>,
    ): Promise<void> => {
      for (let number = 0; !over; number++) {
        await work(number).catch((error: unknown) => unexpected.push(`${what}: ${inspect(error)}`));
        await pause(ms);
      }
    };
    /**
     * As clients should: a connection that was closed while its server stood still, and a 503, are tried again, with the
     * same Idempotency-Key.
     */
    const patiently = async (method: string, path: string, body?: unknown): Promise<Answer> => {
      const isForm = body instanceof FormData;
      const idempotencyKey = randomUUID();
      return await eventually(
        async () => {
          try {
            const answer = await fetch(`${balancer.url}/api/v1${path}`, {
              method,
              headers: {
                authorization: `Bearer ${adminKey}`,
                ...(method === 'POST' && { 'idempotency-key': idempotencyKey }),
                ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
              },
              ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
            });
            const text = await answer.text();
            const parsed: Answer['body'] = text === '' ? null : JSON.parse(text);
            const isBusy = answer.status === 503 || parsed?.error?.code === 'IDEMPOTENCY_IN_PROGRESS';
            assert.ok(!isBusy, text);
            return { status: answer.status, headers: answer.headers, body: parsed };
          } catch (error) {
            counts.retries++;
            throw error;
          }
        },
        { timeoutMs: 180_000, intervalMs: 1_000 },
      );
    };
    const mcp = await connectMcp(balancer.url, adminKey, '2025-11-25');
    const load = Promise.all([
      ...Array.from({ length: 10 }, (_, lane) =>
        repeat('upload', 300, async (number) => {
          const form = new FormData();
          form.set('name', `lane ${lane} number ${number}`);
          form.set('type', 'text');
          form.set('file', new Blob([`lane ${lane} number ${number} speaks of granite and marble`]), 'a.txt');
          const { status, body } = await patiently('POST', '/resources', form);
          assert.equal(status, 201, JSON.stringify(body));
          made.push(body.id);
        }),
      ),
      ...[0, 1, 2].map(() =>
        repeat('search', 500, async () => {
          const { status, body } = await patiently('GET', '/search?q=granite');
          assert.equal(status, 200, JSON.stringify(body));
          counts.searches++;
        }),
      ),
      repeat('operation', 3_000, async (number) => {
        const body = { action: 'set_metadata', filter: { type: 'text' }, metadata: { number } };
        const answer = await patiently('POST', '/operations', body);
        assert.equal(answer.status, 202, JSON.stringify(answer.body));
        operations.push(answer.body.id);
      }),
      repeat('key', 1_000, async (number) => {
        const body = { name: `key ${number}`, scopes: ['read'] };
        const answer = await patiently('POST', '/keys', body);
        assert.equal(answer.status, 201, JSON.stringify(answer.body));
        const { id, secret: key } = answer.body;
        if (number % 2 === 0) kept.push({ id, key });
        else {
          const { status } = await patiently('DELETE', `/keys/${id}`);
          // The answer to the one before may have been lost.
          assert.ok([204, 404].includes(status), String(status));
          ended.push(key);
        }
      }),
      repeat('tool', 1_000, async () => {
        const call = { name: 'search', arguments: { query: 'marble' } };
        await eventually(() => mcp.callTool(call, { timeout: 120_000 }), { timeoutMs: 180_000 });
        counts.tools++;
      }),
    ]);

    await eventually(() => made.length >= 10 && operations.length > 0);
    for (const group of freezes) {
      const pids = group.map((at) => services[at]!.pid);
      for (const pid of pids) process.kill(pid, 'SIGSTOP');
      await pause(freezeMs);
      for (const pid of pids) process.kill(pid, 'SIGCONT');
      const until = made.length + 10;
      await eventually(() => made.length >= until, { timeoutMs: 120_000 });
    }
    over = true;
    await load;
    await mcp.close();

    assert.deepEqual(unexpected, []);
    for (const id of made) {
      const { status, error, run } = await client.settled(id, 600_000);
      assert.deepEqual([status, error, run], ['COMPLETED', null, 1]);
    }
    const ids: string[] = await database.db('resources').pluck('id');
    assert.deepEqual(ids.sort(), [...made].sort());
    const twice = [...reported].filter(([, count]) => count !== 1);
    assert.deepEqual(twice, [], 'a report was accepted twice');
    const artifacts: { resource_id: string; type: string; count: string }[] = await database
      .db('artifacts')
      .select('resource_id', 'type')
      .count()
      .groupBy('resource_id', 'type');
    assert.deepEqual(
      artifacts.filter(({ count }) => Number(count) !== 1),
      [],
    );
    for (const id of operations) {
      const operation = await eventually(
        async () => {
          const found = await client.expect(200, 'GET', `/operations/${id}`);
          return /COMPLETED|FAILED|CANCELLED/.test(found.status) && found;
        },
        { timeoutMs: 300_000, intervalMs: 500 },
      );
      const skipped = Object.values(operation.skipped as Record<string, number>).reduce((a, b) => a + b, 0);
      const failed = Object.values(operation.failed as Record<string, number>).reduce((a, b) => a + b, 0);
      assert.equal(Number(operation.done) + skipped + failed, operation.matched, JSON.stringify(operation));
      assert.equal(failed, 0, JSON.stringify(operation));
    }
    const statusOf = async (key: string): Promise<number> =>
      (await fetch(`${balancer.url}/api/v1/plugins`, { headers: { authorization: `Bearer ${key}` } })).status;
    for (const { id, key } of kept) assert.equal(await statusOf(key), 200, id);
    for (const key of ended) assert.equal(await statusOf(key), 401);
    await eventually(async () => (await client.expect(200, 'GET', '/search/status')).pending === 0, {
      timeoutMs: 300_000,
      intervalMs: 500,
    });
    const hits = await client.expect(200, 'GET', `/search?q=marble&limit=1&resource_id=${made.at(-1)}`);
    assert.equal(hits.items.length, 1);
    for (const service of services) assert.doesNotThrow(() => process.kill(service.pid, 0));
    console.log(
      `      ${made.length} uploads, ${operations.length} operations, ${kept.length + ended.length} keys, ${counts.searches} searches, ${counts.tools} calls of tools; ${counts.retries} requests were tried again`,
    );
  });
});
