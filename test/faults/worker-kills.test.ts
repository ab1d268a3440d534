import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { startApi, type TestApi } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { startHttpWorker, type HttpWorker } from '../support/http-worker.js';
import { startService, type Service } from '../support/service.js';
import { startTemporal } from '../support/temporal.js';
import { temporaryFolder } from '../support/temporary.js';
import { seededRandom } from '../support/random.js';

const resources = 50;
const kills = 50;
/** Workers that run side by side, each until it is killed. */
const together = 4;
/** A worker is killed by then: about the time in which it has work of every kind. */
const longestLifeMs = 2_000;
const seed = Date.now() % 1_000_000;

const textOf = (index: number): string => `Text ${index}. `.repeat(20 + index).trim();

describe('workers that are killed without warning, fifty times', () => {
  let api: TestApi;
  let plugin: HttpWorker;
  let env: Record<string, string>;
  const services: Service[] = [];
  const startWorker = async (): Promise<Service> => {
    const service = await startService('worker', env);
    services.push(service);
    return service;
  };

  before(async () => {
    const temporal = await startTemporal();
    const KW_OBJECT_DIR = temporaryFolder();
    const address = temporal.config.address;
    plugin = await startHttpWorker();
    api = await startApi({
      workflows: null,
      env: { TEMPORAL_ADDRESS: address, KW_OBJECT_DIR, KW_PLUGIN_HOSTS: '127.0.0.1' },
    });
    env = {
      DATABASE_URL: api.deps.config.databaseUrl,
      TEMPORAL_ADDRESS: address,
      KW_SECRET: 'a-secret-of-the-tests-alone',
      KW_PUBLIC_URL: api.base,
      KW_OBJECT_DIR,
      KW_PLUGIN_HOSTS: '127.0.0.1',
    };
  });
  after(async () => {
    // Also those of a test that failed.
    await Promise.all(services.map((service) => service.kill9()));
    await api.stop();
    await plugin.stop();
  });

  it(`leave every resource COMPLETED, each artifact once, with its content (seed ${seed})`, async function () {
    this.timeout(240_000);
    const random = seededRandom(seed);
    plugin.handle = async ({ message }) => {
      await sleep(random() * 300);
      const artifact = { type: 'note', content_type: 'text', content: `of ${message.resource.id}` };
      return { status: 200, body: { status: 'SUCCESS', artifact } };
    };

    let killed = 0;
    const ids: string[] = [];
    const haunt = async (first: Service): Promise<Service> => {
      let service = first;
      while (killed < kills) {
        killed += 1;
        if (ids.length < resources) {
          const index = ids.push('') - 1;
          ids[index] = (await api.upload({ type: 'killed', name: `${index}` }, textOf(index))).body.id;
        }
        await sleep(random() * longestLifeMs);
        await service.kill9();
        service = await startWorker();
      }
      return service;
    };
    const first = await Promise.all(Array.from({ length: together }, () => startWorker()));
    const declared = { id: 'notes', name: 'Notes', kind: 'http', endpoint: plugin.endpoint };
    assert.equal((await api.call('POST', '/plugins', declared)).status, 201);
    const bounds = { max_attempts: 100, backoff_seconds: 0.1, timeout_seconds: 60 };
    const steps = ['extract-text', 'notes', 'chunk-text'].map((plugin_id) => ({ plugin_id, ...bounds }));
    const pipeline = { name: 'Killed', trigger_type: 'killed', steps };
    assert.equal((await api.call('POST', '/pipelines', pipeline)).status, 201);

    const last = await Promise.all(first.map(haunt));
    assert.deepEqual([killed, ids.length], [kills, resources]);
    try {
      await eventually(
        async () => {
          const open: unknown[] = await api.deps.db('resources').where({ status: 'PROCESSING' });
          if (open.length > 0) throw new Error(`${open.length} are PROCESSING`);
          return true;
        },
        { timeoutMs: 120_000, intervalMs: 200 },
      );
    } finally {
      await Promise.all(last.map((service) => service.stop()));
    }

    let attempts = 0;
    for (const [index, id] of ids.entries()) {
      const { body } = await api.call('GET', `/resources/${id}`);
      assert.deepEqual(
        [body.status, body.run, body.error],
        ['COMPLETED', 1, null],
        JSON.stringify(body.steps),
      );
      for (const step of body.steps as { attempt: number }[]) attempts += step.attempt;
      const types = body.artifacts.map(({ type }: { type: string }) => type).sort();
      assert.deepEqual(types, ['chunks', 'metadata', 'note', 'text']);
      const content = async (type: string): Promise<any> => {
        const { id: artifactId } = body.artifacts.find((each: { type: string }) => each.type === type);
        return (await api.call('GET', `/resources/${id}/artifacts/${artifactId}`)).body.content;
      };
      assert.equal(await content('text'), textOf(index));
      assert.equal(await content('note'), `of ${id}`);
      const [chunk] = (await content('chunks')).chunks;
      assert.equal(chunk.text, textOf(index).slice(0, chunk.end));
    }
    // The kills met steps that were in the middle: they cost attempts.
    assert.ok(attempts > resources * steps.length, `${attempts} attempts`);
    assert.deepEqual(await api.deps.db('outbox'), []);
  });
});
