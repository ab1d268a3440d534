import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';
import { eventually } from '../support/eventually.js';
import { startFleet, type Fleet } from '../support/service/fleet.js';

const uploads = 500;
const lanes = 8;
/** Every tenth of them is sent slowly: longer than the drain, shorter than the grace period. */
const slowMs = 8_000;
const sizes = [200, 5_000, 100_000, 1_000_000, 4_000_000];

interface Made {
  readonly id: string;
  readonly sha256: string;
  readonly type: string;
}

describe('a rolling deploy of two APIs and two workers', function () {
  this.timeout(40 * 60_000);
  let fleet: Fleet;
  /** Reports that the worker of the plugin had accepted, by resource. */
  const accepted = new Map<string, number>();

  before(async () => {
    fleet = await startFleet({
      KW_SECRET: 'a-secret-that-all-of-them-share',
      KW_DRAIN_SECONDS: '4',
      KW_SHUTDOWN_GRACE_SECONDS: '60',
      KW_SEED: 'false',
    });
    const { client, plugin } = fleet;
    // One attempt: a step that a deploy interrupts must not cost one.
    const steps = ['extract-text', 'notes'].map((plugin_id) => ({ plugin_id, max_attempts: 1 }));
    await client.expect(201, 'POST', '/pipelines', { name: 'Texts', trigger_type: 'text', steps });
    const notes = { name: 'Notes', trigger_type: 'note', steps: steps.slice(1) };
    await client.expect(201, 'POST', '/pipelines', notes);
    plugin.handle = (step) => {
      void pause(300).then(async () => {
        const artifact = { type: 'note', content_type: 'text', content: step.message.resource.name };
        // An API may stop while it is asked: a worker tries again, and a report that arrived before is a duplicate.
        const answer = await eventually(() => plugin.report(step, { status: 'SUCCESS', artifact }));
        assert.equal(answer.status, 200);
        const { id } = step.message.resource;
        if (answer.body.duplicate === false) accepted.set(id, (accepted.get(id) ?? 0) + 1);
      });
      return { status: 202 };
    };
  });
  after(() => fleet.stop());

  it('under load: no upload that fits the grace period is cut off or lost, each is processed once', async () => {
    const { client, balancer, database, adminKey } = fleet;
    const made: Made[] = [];
    const unexpected: string[] = [];
    let begun = 0;
    let slowInFlight = 0;
    let over = false;

    const upload = async (number: number): Promise<void> => {
      const isSlow = number % 10 === 0;
      const size = sizes[number % sizes.length]!;
      const type = size <= 100_000 ? 'text' : 'note';
      const content = Buffer.from(`upload ${number}, `.repeat(Math.ceil(size / 10)).slice(0, size));
      const body = Readable.from(multipart({ name: `upload ${number}`, type }, content, isSlow ? slowMs : 0));
      if (isSlow) slowInFlight++;
      try {
        const answer = await fetch(`${balancer.url}/api/v1/resources`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${adminKey}`,
            'content-type': 'multipart/form-data; boundary=b',
          },
          body: Readable.toWeb(body) as ReadableStream,
          duplex: 'half',
        });
        const resource = (await answer.json()) as { readonly id: string };
        if (answer.status === 201)
          made.push({ id: resource.id, sha256: createHash('sha256').update(content).digest('hex'), type });
        else unexpected.push(`${number}: ${answer.status} ${JSON.stringify(resource)}`);
      } catch (error) {
        unexpected.push(`${number}: ${inspect(error)}`);
      } finally {
        if (isSlow) slowInFlight--;
      }
    };
    const lane = async (): Promise<void> => {
      while (!over || begun < uploads) {
        await upload(begun++);
        // Steady, and until the last process is replaced.
        await pause(100);
      }
    };
    const load = Promise.all(Array.from({ length: lanes }, lane));

    const interrupted: number[] = [];
    const beforeStop = async (at: number): Promise<void> => {
      await eventually(() => slowInFlight > 0 && made.length > at * 20, { timeoutMs: 300_000 });
      interrupted.push(slowInFlight);
    };
    await fleet.roll({}, beforeStop);
    over = true;
    await load;

    assert.deepEqual([unexpected, balancer.failures()], [[], []]);
    assert.ok(made.length >= uploads, `${made.length} uploads`);
    assert.ok(
      interrupted.every((count) => count > 0),
      `slow uploads at the stops: ${interrupted.join()}`,
    );
    await eventually(
      async () => {
        const statistics = await database.db('resources').select('status').count().groupBy('status');
        return statistics.length === 1 && statistics[0]!['status'] !== 'PROCESSING';
      },
      { timeoutMs: 600_000, intervalMs: 1_000 },
    );
    const rows: { id: string; status: string; run: number; sha256: string }[] = await database
      .db('resources')
      .select('id', 'status', 'run', 'sha256');
    assert.deepEqual(
      rows.filter(({ status, run }) => status !== 'COMPLETED' || run !== 1),
      [],
    );
    const byId = <T extends { readonly id: string }>(list: readonly T[]): T[] =>
      [...list].sort((a, b) => (a.id < b.id ? -1 : 1));
    assert.deepEqual(
      byId(rows).map(({ id, sha256 }) => [id, sha256]),
      byId(made).map(({ id, sha256 }) => [id, sha256]),
    );
    assert.deepEqual(
      made.filter(({ id }) => accepted.get(id) !== 1).map(({ id }) => [id, accepted.get(id)]),
      [],
    );
    const again = await database
      .db('attempts as a')
      .where('number', '>', 1)
      .select(
        'max',
        'number',
        database.db.raw(`exists (select from attempts f where f.number < a.number
        and (f.resource_id, f.run, f.step_index) = (a.resource_id, a.run, a.step_index)) as has_begun`),
      );
    // A saturated Temporal loses the answers to a few polls, mostly to those of a stopping worker: no worker begins the
    // attempt, and the next one is extra.
    assert(
      again.length <= uploads / 20 &&
        again.every(({ max, number, has_begun }) => max === number && has_begun === false),
      `tried twice: ${inspect(again)}`,
    );
    const doubled = await database
      .db('artifacts')
      .select('resource_id', 'type')
      .groupBy('resource_id', 'type')
      .havingRaw('count(*) > 1');
    assert.deepEqual(doubled, [], 'no step left its artifact twice');
    const notes = await database.db('artifacts').where({ type: 'note' }).select('resource_id');
    const texts = await database.db('artifacts').where({ type: 'text' }).select('resource_id');
    assert.deepEqual(
      [notes.length, texts.length],
      [made.length, made.filter(({ type }) => type === 'text').length],
    );
    console.log(
      `      ${made.length} uploads, slow ones in flight at the stops: ${interrupted.join(', ')}; all COMPLETED, each once; tasks given out again: ${again.length}`,
    );
    assert.equal((await client.expect(200, 'GET', '/resources?status=COMPLETED&limit=1')).items.length, 1);
  });
});

/** A form with a file; `ms`: how long its content takes. */
async function* multipart(
  fields: Readonly<Record<string, string>>,
  content: Buffer,
  ms: number,
): AsyncGenerator<Buffer> {
  for (const [name, value] of Object.entries(fields))
    yield Buffer.from(`--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);
  yield Buffer.from(
    '--b\r\nContent-Disposition: form-data; name="file"; filename="f.txt"\r\nContent-Type: text/plain\r\n\r\n',
  );
  const parts = ms === 0 ? 1 : 20;
  const length = Math.ceil(content.length / parts);
  for (let at = 0; at < content.length; at += length) {
    if (ms > 0) await pause(ms / parts);
    yield content.subarray(at, at + length);
  }
  yield Buffer.from('\r\n--b--\r\n');
}
