import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { startApi, type TestApi } from '../support/service/api.js';
import { isFull } from '../support/full.js';
import { reservePort } from '../support/servers/ports.js';
import { createDatabase, type TestDatabase } from '../support/servers/postgres.js';
import { startService, type Service } from '../support/service/service.js';
import { temporaryFolder } from '../support/temporary.js';

const kib = 1024;
const probe = fileURLToPath(new URL('../support/loop-probe.mjs', import.meta.url));
const json = { 'content-type': 'application/json' };
/** The longest time that a request may block the API's event loop, in milliseconds. */
const most = 50;
const activity = { name: 'A', kind: 'activity', task_queue: 'q', activity_type: 'a' } as const;

const repeat = (text: string, bytes: number): string => text.repeat(Math.floor(bytes / text.length));
/** JSON of about so many bytes in the shapes that cost most, each a value of an object. */
const shapes: Readonly<Record<string, (bytes: number) => string>> = {
  numbers: (bytes) => `[${repeat('0,', bytes - 8)}0]`,
  'empty arrays': (bytes) => `[${repeat('[],', bytes - 8)}0]`,
  'empty objects': (bytes) => `[${repeat('{},', bytes - 8)}0]`,
  'nested arrays': (bytes) => `[${repeat(`${'['.repeat(60)}${']'.repeat(60)},`, bytes - 8)}0]`,
  keys: (bytes) =>
    `{${Array.from({ length: Math.floor(bytes / 9) - 1 }, (_, at) => `"${at.toString(36).padStart(4, '_')}":0`).join()}}`,
  escapes: (bytes) => `"${repeat('\\u00e9', bytes - 8)}"`,
  spaces: (bytes) => `[${' '.repeat(bytes - 8)}]`,
};
const shaped = (bytes: number, names: readonly string[]): [string, string][] =>
  names.map((name) => [name, shapes[name]?.(bytes) ?? '']);
/** Those that cost most to parse, to walk and to write; without the slow tests, the worst of them. */
const worst = isFull ? ['nested arrays', 'keys', 'empty objects'] : ['nested arrays'];
/** One of these is enough where the same code reads them all. */
const some = worst;
const all = isFull ? Object.keys(shapes) : worst;

describe("the API's event loop", () => {
  let database: TestDatabase;
  let api: TestApi;
  let service: Service;
  let base: string;
  let adminKey: string;
  let readKey: string;
  let loop: string;
  let made = 0;

  before(async () => {
    database = await createDatabase();
    const objects = temporaryFolder();
    const env = { KW_OBJECT_DIR: objects, KW_SECRET: 'a-secret-of-the-tests-alone', KW_RATE_LIMIT: '0' };
    const port = await reservePort();
    base = `http://127.0.0.1:${port}`;
    // Does what the workflow would; the requests that are measured go to a process of its own.
    api = await startApi({ database, env: { ...env, KW_PUBLIC_URL: base } });
    adminKey = await api.key('admin');
    readKey = await api.key('read');
    service = await startService(
      'api',
      {
        ...env,
        DATABASE_URL: database.url,
        TEMPORAL_ADDRESS: '127.0.0.1:1',
        PORT: String(port),
        KW_LOG_LEVEL: 'info',
      },
      [],
      ['--import', probe],
    );
    loop = `http://127.0.0.1:${/loop probe on (\d+)/.exec(service.output())?.[1]}`;
    await call('PUT', '/plugins/worker', JSON.stringify(activity));
    const steps = [{ plugin_id: 'worker' }];
    await call('POST', '/pipelines', JSON.stringify({ name: 'P', trigger_type: 'worked', steps }));
    await call('PUT', '/plugins/worker/config', JSON.stringify({ config: { long: 'x'.repeat(100 * kib) } }));
    await measure(() => call('GET', '/plugins/worker'));
  });
  after(async () => {
    await service.stop();
    await api.stop();
    await database.drop();
  });

  interface Reply {
    readonly status: number;
    readonly text: string;
  }

  async function call(
    method: string,
    path: string,
    body?: string | Uint8Array<ArrayBuffer> | FormData,
    { bearer = adminKey, headers = {} }: { bearer?: string; headers?: Readonly<Record<string, string>> } = {},
  ): Promise<Reply> {
    const send = (): Promise<Response> =>
      fetch(`${base}/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${bearer}`, ...(typeof body === 'string' ? json : {}), ...headers },
        ...(body === undefined ? {} : { body }),
      });
    // A connection on which a body was refused is closed, perhaps just as it is used again.
    const response = await send().catch(send);
    return { status: response.status, text: await response.text() };
  }

  /** The longest time for which the service's loop was held meanwhile. */
  async function measure(work: () => Promise<unknown>): Promise<number> {
    await fetch(loop);
    await work();
    return Number(await (await fetch(loop)).text());
  }

  /** Fails when the loop is held too long, also when it is tried again: a collection of garbage may fall into one try. */
  async function assertFree(what: string, work: () => Promise<unknown>): Promise<void> {
    const held: number[] = [];
    do held.push(await measure(work));
    while (held.length < 3 && Math.min(...held) > most);
    assert.ok(
      Math.min(...held) <= most,
      `${what}: the loop was held for ${held.map((ms) => Math.round(ms)).join(', ')} ms`,
    );
  }

  const openAttempt = async (): Promise<{ path: string; bearer: string; id: string }> => {
    const form = new FormData();
    form.set('name', 'n');
    form.set('type', 'worked');
    form.set('file', new Blob(['hello']), 'a.txt');
    const { status, text } = await call('POST', '/resources', form);
    assert.equal(status, 201, text);
    const resource = JSON.parse(text);
    await api.advance(resource, { kind: 'BEGIN' });
    const claim = { resource_id: resource.id, run: 1, step_index: 0, attempt: 1 };
    const { callback } = JSON.parse((await call('POST', '/internal/attempts', JSON.stringify(claim))).text);
    return {
      path: new URL(callback.url).pathname.slice('/api/v1'.length),
      bearer: callback.token,
      id: resource.id,
    };
  };
  const register = async (fields: string): Promise<string> => {
    const id = `plugin-${(made += 1)}`;
    const { status, text } = await call(
      'PUT',
      `/plugins/${id}`,
      `{${JSON.stringify(activity).slice(1, -1)},${fields}}`,
    );
    assert.equal(status, 201, text.slice(0, 500));
    return id;
  };

  it('is not blocked by what a schema hides in a config', async () => {
    const keys = Array.from({ length: 12_000 }, (_, at) => [`key${at}`, at]);
    const schema = { allOf: Array.from({ length: 8_000 }, () => ({ additionalProperties: {} })) };
    const wide = await register(
      `"config_schema":${JSON.stringify(schema)},"config":${JSON.stringify(Object.fromEntries(keys))}`,
    );
    await assertFree('a wide config under a wide schema', () =>
      call('GET', `/plugins/${wide}`, undefined, { bearer: readKey }),
    );
  });

  it('is not blocked by a config of any shape', async () => {
    for (const [name, value] of shaped(255 * kib, ['numbers', ...worst])) {
      const id = await register(
        `"config_schema":{"properties":{"a":{"items":{"type":"number"}}}},"config":{"a":1}`,
      );
      await assertFree(`a config of ${name}`, async () => {
        const { status } = await call('PUT', `/plugins/${id}/config`, `{"config":{"a":${value}}}`);
        assert.equal(status, 200);
      });
      await assertFree(`a config of ${name}, read`, () => call('GET', `/plugins/${id}`));
      await assertFree(`a config of ${name}, read with less than admin`, () =>
        call('GET', `/plugins/${id}`, undefined, { bearer: readKey }),
      );
    }
  });

  it('is not blocked by a registration of any shape', async () => {
    const bearer = await api.key('plugin:own');
    const put = (fields: string) => (): Promise<Reply> =>
      call('PUT', '/plugins/own', `{${JSON.stringify(activity).slice(1, -1)},${fields}}`, { bearer });
    for (const [name, value] of shaped(255 * kib, worst))
      await assertFree(`a schema of ${name}`, put(`"config_schema":{"examples":${value}}`));
    for (const [name, value] of shaped(1000 * kib, some)) {
      await assertFree(`a schema too large of ${name}`, put(`"config_schema":{"examples":${value}}`));
      await assertFree(`an unknown field, of ${name}`, put(`"x":${value}`));
      // Read and refused like the unknown field.
      if (isFull) await assertFree(`produces of ${name}`, put(`"produces":${value}`));
    }
    await put(`"config_schema":{"examples":${shapes['nested arrays']?.(255 * kib)}}`)();
    const columns =
      'name, description, version, kind, task_queue, activity_type, config_schema, produces, config_sealed';
    // More than a page holds.
    const copies = isFull ? 199 : 40;
    await database.db.raw(
      `insert into plugins (id, ${columns}) select 'copy-' || n, ${columns} from plugins, generate_series(1, ${copies}) n where id = 'own'`,
    );
    await assertFree('a list of plugins', () => call('GET', '/plugins?limit=200'));
    const listed: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = JSON.parse((await call('GET', `/plugins?limit=200${cursor && `&cursor=${cursor}`}`)).text);
      for (const { id, config_schema } of page.items) if (config_schema !== null) listed.push(id);
      cursor = page.next_cursor;
    }
    const withSchema = await database.db('plugins').whereNotNull('config_schema').pluck('id');
    assert.deepEqual(listed.sort(), withSchema.sort(), 'plugins, page by page');
  });

  it('is not blocked by a schema that takes forever to check', async () => {
    const slow = await register(`"config_schema":{"properties":{"a":{"pattern":"^(a+)+$"}}}`);
    await assertFree('a pattern that backtracks', async () => {
      const config = JSON.stringify({ config: { a: `${'a'.repeat(60)}!` } });
      const { status, text } = await call('PUT', `/plugins/${slow}/config`, config);
      assert.equal(status, 200, text);
      assert.match(JSON.parse(text).config_warnings[0].message, /cannot be checked/);
    });
    const deep = await register(
      `"config_schema":{"properties":{"a":{"$ref":"#"}},"allOf":[{"$ref":"#"}]},"config":{"a":1}`,
    );
    await assertFree('references in a circle', () =>
      call('GET', `/plugins/${deep}`, undefined, { bearer: readKey }),
    );
  });

  it('is not blocked by a report of any shape', async () => {
    const { path, bearer } = await openAttempt();
    const artifact = (type: string, contentType: string, content: string): string =>
      `{"type":"${type}","content_type":"${contentType}","content":${content}}`;
    const success = (...artifacts: string[]): string =>
      `{"status":"SUCCESS","artifacts":[${artifacts.join()}]}`;
    const vectors: [string, string][] = [
      ...(isFull
        ? ([
            ['numbers', repeat('0,', 1020 * kib)],
            ['texts', repeat('"",', 1020 * kib)],
          ] satisfies [string, string][])
        : []),
      ['rows of texts', repeat('[""],', 1020 * kib)],
    ];
    const bodies: [string, string][] = [
      ...vectors.map(([name, items]): [string, string] => [
        `four vectors of ${name}`,
        success(...[1, 2, 3, 4].map((at) => artifact(`t${at}`, 'vector', `[${items}true]`))),
      ]),
      // Read like the objects of the report that is taken, and refused like the two below.
      ...shaped(1020 * kib, isFull ? worst : []).map(([name, value]): [string, string] => [
        `four objects of ${name}`,
        success(...[1, 2, 3, 4].map((at) => artifact(`t${at}`, 'json', `{"a":${value}}`)), '{}'),
      ]),
      // Read and refused like the two below.
      ...shaped(4090 * kib, isFull ? some : []).map(([name, value]): [string, string] => [
        `an unknown field, of ${name}`,
        `{"status":"FAILURE","x":${value}}`,
      ]),
      ...shaped(4090 * kib, some).map(([name, value]): [string, string] => [
        `artifacts that are ${name}`,
        `{"status":"SUCCESS","artifacts":${value}}`,
      ]),
      ...shaped(4090 * kib, some).map(([name, value]): [string, string] => [
        `details of ${name}`,
        `{"status":"FAILURE","error":{"details":{"a":${value}}}}`,
      ]),
    ];
    for (const [name, body] of bodies) {
      await assertFree(`a report of ${name}`, async () => {
        const { status, text } = await call('POST', path, body, { bearer });
        assert.ok([400, 413].includes(status), text);
      });
    }
    for (const [name, value] of shaped(1020 * kib, worst)) {
      const body = success(...[1, 2, 3].map((at) => artifact(`t${at}`, 'json', `{"a":${value}}`)));
      await assertFree(`a report that is taken, of ${name}`, async () => {
        const open = await openAttempt();
        const { status, text } = await call('POST', open.path, body, { bearer: open.bearer });
        assert.equal(status, 200, text);
      });
    }
  });

  it('is not blocked by the artifacts and errors that resources show', async () => {
    for (const [name, value] of shaped(16 * kib - 20, worst)) {
      const metadata = `{"a":${value}}`;
      const one = (at: number): string =>
        `{"type":"t${at}","content_type":"text","content":"","metadata":${metadata}}`;
      const body = `{"status":"SUCCESS","artifacts":[${Array.from({ length: 100 }, (_, at) => one(at)).join()}]}`;
      let id = '';
      await assertFree(`a report with metadata of ${name}`, async () => {
        const open = await openAttempt();
        ({ id } = open);
        const { status, text } = await call('POST', open.path, body, { bearer: open.bearer });
        assert.equal(status, 200, text);
      });
      await assertFree(`a resource with metadata of ${name}`, () => call('GET', `/resources/${id}`));
    }
    await assertFree('a list of such resources', () =>
      call('GET', '/resources?limit=200&include=artifacts,steps'),
    );
  });

  it('is not blocked by content that is sent ahead of its report', async () => {
    const contents: [string, string, string][] = [
      ...shaped(1000 * kib, all).map(([name, value]): [string, string, string] => [
        name,
        'json',
        `{"a":${value}}`,
      ]),
      ['numbers', 'vector', shapes['numbers']?.(1000 * kib) ?? ''],
      ['rows', 'vector', `[${repeat('[0],', 1000 * kib)}[0]]`],
      ['escapes', 'text', shapes['escapes']?.(1000 * kib) ?? ''],
    ];
    for (const [name, contentType, content] of contents) {
      const { path, bearer } = await openAttempt();
      await assertFree(`a ${contentType} sent ahead of ${name}`, async () => {
        const url = `${path}/uploads?type=t&content_type=${contentType}`;
        const { status, text } = await call('PUT', url, new TextEncoder().encode(content), { bearer });
        assert.equal(status, 201, text);
      });
    }
  });

  it('is not blocked by the requests of writers', async () => {
    const attempts: [string, string, string][] = [
      ...shaped(1000 * kib, some),
      // What is read without a thread.
      ...shaped(14 * kib, some),
    ].flatMap(([name, value]) => [
      [`a resource of ${name}`, '/resources', value],
      [`a resource with a source of ${name}`, '/resources', `{"name":"n","type":"t","source":${value}}`],
      [`a pipeline with steps of ${name}`, '/pipelines', `{"name":"n","trigger_type":"t","steps":${value}}`],
      [`a selection of ${name}`, '/resources/reprocess', `{"status":${value}}`],
      [`a claim of ${name}`, '/internal/attempts', value],
    ]);
    for (const [name, path, body] of attempts) {
      await assertFree(name, () =>
        call('POST', path, body, { headers: { 'idempotency-key': `k${(made += 1)}` } }),
      );
    }
    const form = new FormData();
    for (let at = 0; at < 18; at += 1) form.set(`${'f'.repeat(90)}${at}`, 'é'.repeat(30 * kib));
    form.set('source', shapes['nested arrays']?.(60 * kib) ?? '');
    form.set('file', new Blob(['\n'.repeat(10_000 * kib)]), `${'"%22;'.repeat(100)}.txt`);
    await assertFree('a form', () => call('POST', '/resources', form));
  });

  it('is not blocked by request headers', async () => {
    const long = 14 * kib - 200;
    const queries = [
      Array.from({ length: 3_000 }, (_, at) => `a${at}`).join('&'),
      `include=${repeat('steps,', long)}`,
      `q=${repeat('%F0%9F%98%80', long)}`,
      `cursor=${'W'.repeat(long)}`,
      `cursor=${Buffer.from('['.repeat(700)).toString('base64url')}`,
    ];
    for (const query of queries)
      await assertFree(`the query ${query.slice(0, 20)}…`, () => call('GET', `/resources?${query}`));
    const headers: [string, string][] = [
      ['authorization', `Bearer ${'a'.repeat(long)}!`],
      ['authorization', `Bearer${' '.repeat(long)}!`],
      ['cookie', 'kw_session=;'.repeat(long / 12)],
      ['idempotency-key', 'k'.repeat(long)],
      ['if-none-match', '"'.repeat(long)],
      ['if-none-match', 'W/'.repeat(long / 2)],
      ['range', `bytes=${'0-0,'.repeat(long / 4)}`],
      ['content-type', `application/json;${' charset='.repeat(long / 9)}`],
      ['last-event-id', '9'.repeat(long)],
      ['x-forwarded-for', '::1,'.repeat(long / 4)],
      ['accept-encoding', 'gzip;q=0.1,'.repeat(long / 11)],
    ];
    for (const [name, value] of headers)
      await assertFree(`the header ${name}`, () =>
        call('GET', '/resources?limit=1', undefined, { headers: { [name]: value } }),
      );
  });
});
