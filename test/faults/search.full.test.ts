import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectDatabase, type Db } from '../../storage/database/connection.js';
import { createApiKey } from '../../storage/auth/api-keys.js';
import { eventually } from '../support/eventually.js';
import { reservePort } from '../support/servers/ports.js';
import { createDatabase, type TestDatabase } from '../support/servers/postgres.js';
import { seededRandom } from '../support/models/random.js';
import { connectMcp, mcpVersions } from '../support/service/mcp.js';
import { createRestClient, type RestClient } from '../support/service/rest-client.js';
import { s3Settings, startS3, type TestS3 } from '../support/servers/s3.js';
import { startService, type Service } from '../support/service/service.js';
import { startTemporal } from '../support/servers/temporal.js';

/** At least; there are more until a worker was killed. */
const searches = 10_000;
const searchers = 3;
const seed = Number(process.env['KW_TEST_SEED'] ?? Date.now() % 1_000_000);
/** What was COMPLETED for longer is found, although the worker that would have indexed it was killed. */
const lateMs = 2_000;

/** A resource as the test knows it. */
interface Known {
  readonly id: string;
  /** A word of its own. */
  readonly word: string;
  name: string;
  /** `changing`: nothing can be said of it. */
  state: 'shown' | 'hidden' | 'changing';
  since: number;
}

describe('search while workers are killed, with two APIs on S3', () => {
  let database: TestDatabase;
  let db: Db;
  let s3: TestS3;
  let settings: Record<string, string>;
  let clients: readonly RestClient[] = [];
  let models: readonly Awaited<ReturnType<typeof connectMcp>>[] = [];
  const services: Service[] = [];
  const workers: Service[] = [];

  before(async () => {
    const [temporal, ports] = await Promise.all([
      startTemporal(),
      Promise.all([reservePort(), reservePort()]),
      (async () => (database = await createDatabase()))(),
      (async () => (s3 = await startS3()))(),
    ]);
    db = connectDatabase(database.url, { poolSize: 2 });
    const { key: adminKey } = await createApiKey(db, { name: 'tests', scopes: ['admin'] });
    const apis = ports.map((port) => `http://127.0.0.1:${port}`);
    settings = {
      DATABASE_URL: database.url,
      ...temporal.env,
      ...s3Settings(s3),
      KW_SEARCH_URI: `lancedb:s3://${s3.bucket}/search`,
      KW_SECRET: 'a-secret-that-all-of-them-share',
      KW_PUBLIC_URL: apis[0]!,
      KW_LOG_LEVEL: 'info',
      KW_RATE_LIMIT: '0',
    };
    services.push(
      ...(await Promise.all(ports.map((port) => startService('api', { ...settings, PORT: `${port}` })))),
    );
    workers.push(
      ...(await Promise.all([startService('worker', settings), startService('worker', settings)])),
    );
    clients = apis.map((api) => createRestClient({ api, adminKey }));
    models = await Promise.all(
      mcpVersions.map((version) => eventually(() => connectMcp(apis, adminKey, version))),
    );
    const step = { max_attempts: 5, backoff_seconds: 0 };
    const steps = [
      { plugin_id: 'extract-text', ...step },
      { plugin_id: 'chunk-text', ...step },
    ];
    // On a busy machine the first connection to the database may take longer than a request waits.
    const pipeline = { name: 'Notes', trigger_type: 'note', steps };
    await eventually(() => clients[0]!.expect(201, 'POST', '/pipelines', pipeline));
  });

  after(async () => {
    await Promise.all(models.map((model) => model.close()));
    await Promise.all([...services, ...workers].map((service) => service.kill9()));
    await db.destroy();
    await Promise.all([database.drop(), s3.stop()]);
  });

  /** Asks again where too many searches wait, as clients do. */
  const ask = async (client: RestClient, q: string): Promise<any[]> => {
    const { status, body } = await eventually(async () => {
      const answer = await client.call('POST', '/search', { q, limit: 50 });
      return answer.status !== 503 && answer;
    });
    assert.equal(status, 200, JSON.stringify(body));
    return body.items;
  };

  /** The same as a model asks, whose calls go to both APIs in turn; also as resources by their ids and names. */
  const askModel = async (at: number, query: string): Promise<{ id: string; name: string }[]> =>
    await eventually(async () => {
      const model = models[at % models.length]!;
      const { isError, structuredContent } = await model.callTool({
        name: 'search',
        arguments: { query, limit: 50 },
      });
      const { results } = (structuredContent ?? {}) as { results?: { resource_id: string; title: string }[] };
      return isError !== true && results?.map((hit) => ({ id: hit.resource_id, name: hit.title }));
    });

  it(`shows no deleted content and misses no existing content (seed ${seed})`, async function () {
    this.timeout(1_800_000);
    const random = seededRandom(seed);
    const known: Known[] = [];
    const [client] = clients as [RestClient];
    let isOver = false;
    let kills = 0;

    const add = async (): Promise<void> => {
      const word = `word${known.length}x${Math.floor(random() * 1e6)}`;
      const text = `A note with ${word} and the words of all notes.`;
      const { id, name } = await client.upload('note', { text });
      const one: Known = { id, word, name, state: 'changing', since: 0 };
      known.push(one);
      await client.settled(id);
      Object.assign(one, { state: 'shown', since: performance.now() });
    };
    const change = async (one: Known): Promise<void> => {
      const wasShown = one.state === 'shown';
      one.state = 'changing';
      const draw = random();
      const path = `/resources/${one.id}`;
      if (draw < 0.35) {
        await client.expect(200, 'PATCH', path, { is_enabled: !wasShown });
        Object.assign(one, { state: wasShown ? 'hidden' : 'shown', since: performance.now() });
      } else if (draw < 0.55) {
        one.name = `Renamed ${Math.floor(random() * 1e6)}`;
        await client.expect(200, 'PATCH', path, { name: one.name });
        Object.assign(one, { state: wasShown ? 'shown' : 'hidden', since: performance.now() });
      } else if (draw < 0.75) {
        await client.expect(204, 'DELETE', path);
        Object.assign(one, { state: 'hidden', since: performance.now() });
        known.splice(known.indexOf(one), 1);
        gone.push(one);
      } else {
        // What was found stays found while it is processed again.
        one.state = wasShown ? 'shown' : 'hidden';
        await client.expect(202, 'POST', `${path}/reprocess`, {});
        await client.settled(one.id);
      }
    };
    const gone: Known[] = [];
    const changing = async (): Promise<void> => {
      while (!isOver) {
        const settled = known.filter(({ state }) => state !== 'changing');
        if (settled.length < 8 || random() < 0.4) await add();
        else await change(settled[Math.floor(random() * settled.length)]!);
        await sleep(20);
      }
    };
    const killing = async (): Promise<void> => {
      while (!isOver) {
        await sleep(1_500 + random() * 2_000);
        const at = random() < 0.5 ? 0 : 1;
        await workers[at]!.kill9();
        kills++;
        workers[at] = await startService('worker', settings);
      }
    };
    let done = 0;
    const searching = async (at: number): Promise<void> => {
      while (done < searches || kills === 0) {
        const isRecent = ({ since }: Known): boolean => performance.now() - since < 2 * lateMs;
        const recent = random() < 0.5 ? known.filter(isRecent) : [];
        const some = random() < 0.2 && gone.length > 0 ? gone : known;
        const pool = recent.length > 0 ? recent : some;
        const one = pool[Math.floor(random() * pool.length)];
        if (one === undefined) {
          await sleep(20);
          continue;
        }
        const { state, since, name } = one;
        const begun = performance.now();
        const throughModel = ++done % 4 === 0;
        const resources = throughModel
          ? await askModel(done / 4, one.word)
          : (await ask(clients[at % 2]!, one.word)).map((hit) => hit.resource);
        const found = resources.filter((resource) => resource.id === one.id);
        // A change that came meanwhile may have shown or hidden it.
        const stayed = one.state === state && one.since === since;
        if (stayed && state === 'hidden')
          assert.deepEqual(found, [], 'it was hidden before the search began');
        if (stayed && state === 'shown' && begun - since > lateMs) {
          assert.equal(found.length, 1, `${one.word} is there for ${Math.round(begun - since)} ms`);
          if (!throughModel) assert.equal(found[0]?.name, name);
        }
      }
    };
    const background = [changing(), killing()];
    try {
      await Promise.all(Array.from({ length: searchers }, (_, at) => searching(at)));
    } finally {
      isOver = true;
      await Promise.all(background);
    }

    await eventually(async () => (await client.expect(200, 'GET', '/search/status')).pending === 0);
    const shown = known.filter(({ state }) => state === 'shown').map(({ id }) => id);
    for (const each of clients) {
      const hits = await ask(each, 'notes');
      const ids = hits.map((hit) => hit.resource.id);
      assert.equal(new Set(ids).size, ids.length, 'nothing is doubled');
      if (shown.length <= 50) assert.deepEqual(ids.sort(), shown.sort());
    }
    const [first, second] = await Promise.all(clients.map((each) => ask(each, 'a note with words')));
    assert.deepEqual(
      first?.map(({ url }) => url),
      second?.map(({ url }) => url),
    );
  });
});
