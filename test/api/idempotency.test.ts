import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { uuidv7 } from '../../core/ids.js';
import { sweepIdempotencyKeys } from '../../storage/idempotency-keys.js';
import { lockWaits } from '../support/servers/postgres.js';
import { startApi, type Answer, type TestApi } from '../support/service/api.js';
import { eventually } from '../support/eventually.js';

const source = { kind: 'URL', url: 'https://example.com/report.html' };
const step = { plugin_id: 'worker' };

describe('an Idempotency-Key', () => {
  let api: TestApi;
  let bearer: string;

  const keyed = (key: string): { headers: Record<string, string> } => ({
    headers: { 'idempotency-key': key },
  });
  const send = async (path: string, body: unknown, key: string): Promise<Answer> =>
    await api.call('POST', path, body, keyed(key));
  const upload = async (
    key: string,
    content: string,
    name = 'A file',
    fileName = 'a.txt',
  ): Promise<Answer> => {
    const form = new FormData();
    form.set('name', name);
    form.set('type', 'text');
    form.set('file', new Blob([content]), fileName);
    return await send('/resources', form, key);
  };
  const stored = async (): Promise<string[]> => {
    const keys: string[] = [];
    for await (const { key } of api.deps.objectStore.list('resources/')) keys.push(key);
    return keys;
  };
  const named = async (name: string): Promise<number> =>
    (await api.call('GET', `/resources?q=${encodeURIComponent(name)}&limit=200`)).body.items.length;
  const same = (answer: Answer): unknown[] => [
    answer.status,
    answer.text,
    answer.headers.get('location'),
    answer.headers.get('etag'),
    answer.headers.get('content-type'),
  ];
  const code = ({ status, body }: Answer): unknown[] => [status, body.error?.code];

  /** An upload that has begun and of which `end` sends the rest. */
  const beginUpload = (
    key: string,
    name: string,
  ): { readonly sent: ClientRequest; end(): Promise<{ status: number; body: string }> } => {
    const field = (head: string, value: string): string =>
      `--limit\r\ncontent-disposition: form-data; ${head}\r\n\r\n${value}`;
    const sent = request(`${api.base}/api/v1/resources`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${bearer}`,
        'idempotency-key': key,
        'content-type': 'multipart/form-data; boundary=limit',
      },
    });
    sent.on('error', () => undefined);
    sent.write(`${field('name="name"', name)}\r\n${field('name="type"', 'text')}\r\n`);
    sent.write(field('name="file"; filename="a.txt"', 'the beginning'));
    return {
      sent,
      async end() {
        sent.end(' and the end\r\n--limit--\r\n');
        const [response] = (await once(sent, 'response')) as [IncomingMessage];
        return { status: response.statusCode ?? 0, body: await text(response) };
      },
    };
  };
  const claims = async (): Promise<number> =>
    (await api.deps.db('idempotency_keys').whereNull('status')).length;

  before(async () => {
    api = await startApi();
    bearer = await api.key('admin');
    const worker = { id: 'worker', name: 'W', kind: 'activity', task_queue: 'q', activity_type: 'a' };
    await api.call('POST', '/plugins', worker);
    await api.call('POST', '/pipelines', { name: 'P', trigger_type: 'piped', steps: [step] });
  });
  after(() => api.stop());

  it('returns the first response again on each operation, and rejects another body', async () => {
    const failed = (await api.call('POST', '/resources', { name: 'again', type: 'piped', source })).body;
    await api.call('POST', `/resources/${failed.id}/cancel`);
    const pipeline = { name: 'K', trigger_type: 'keyed', steps: [step] };
    const cases: [string, object | undefined, object][] = [
      ['/resources', { name: 'once', type: 'piped', source }, { name: 'twice', type: 'piped', source }],
      ['/pipelines', pipeline, { ...pipeline, name: 'L' }],
      [`/resources/${failed.id}/reprocess`, undefined, { from_step: 0 }],
      ['/resources/reprocess', { status: 'FAILED' }, { status: 'CANCELLED' }],
    ];
    for (const [path, body, other] of cases) {
      const key = `${uuidv7()} with spaces ~ "!`;
      const first = await send(path, body, key);
      assert.ok(first.status === 201 || first.status === 202, `${path} ${first.text}`);
      assert.deepEqual(same(await send(path, body, key)), same(first), path);
      assert.deepEqual(code(await send(path, other, key)), [422, 'IDEMPOTENCY_MISMATCH'], path);
      assert.deepEqual(same(await send(path, body, key)), same(first), path);
    }
    assert.deepEqual([await named('once'), await named('twice')], [1, 0]);
    const reordered = { source: { url: source.url, kind: 'URL' }, type: 'piped', name: ' ordered ' };
    const first = await send('/resources', { name: 'ordered', type: 'piped', source }, 'order');
    assert.deepEqual(same(await send('/resources', reordered, 'order')), same(first));
  });

  it('belongs to an API key, an operation and its path', async () => {
    const body = { name: 'scoped', type: 'piped', source };
    const ids = new Set<string>();
    for (const bearer of [await api.key('write'), await api.key('write')]) {
      ids.add((await api.call('POST', '/resources', body, { bearer, ...keyed('shared') })).body.id);
    }
    assert.equal(ids.size, 2);
    for (const id of ids) {
      await api.call('POST', `/resources/${id}/cancel`);
      const again = await send(`/resources/${id}/reprocess`, {}, 'shared');
      assert.deepEqual([again.status, again.body.id, again.body.run], [202, id, 2]);
    }
    const wild = await send(`/resources/${'%00x'.repeat(1000)}/reprocess`, {}, 'shared');
    assert.equal(wild.status, 404);
  });

  it('is 1 to 255 printable ASCII characters', async () => {
    const body = { name: 'form', type: 'piped', source };
    for (const key of ['', 'x'.repeat(256), 'a\u00e9', 'a\tb']) {
      const { status, body: answer } = await send('/resources', body, key);
      assert.deepEqual(
        [status, answer.error.code, answer.error.details.errors[0].path],
        [400, 'VALIDATION_FAILED', '/headers/idempotency-key'],
      );
    }
    assert.equal((await send('/resources', body, 'x'.repeat(255))).status, 201);
    assert.equal(await named('form'), 1);
  });

  it('stores no errors', async () => {
    const late = { name: 'late', type: 'late-type', source };
    assert.deepEqual(code(await send('/resources', { ...late, name: '' }, 'e')), [400, 'VALIDATION_FAILED']);
    const { status, body } = await send('/resources', late, 'e');
    assert.equal(status, 201);
    const reprocess = `/resources/${body.id}/reprocess`;
    assert.deepEqual(code(await send(reprocess, {}, 'e')), [409, 'NO_MATCHING_PIPELINE']);
    const pipeline = { name: 'L', trigger_type: 'late-type', steps: [{ plugin_id: 'nobody' }] };
    assert.deepEqual(code(await send('/pipelines', pipeline, 'e')), [400, 'UNKNOWN_PLUGIN']);
    assert.equal((await send('/pipelines', { ...pipeline, steps: [step] }, 'e')).status, 201);
    assert.equal((await send(reprocess, {}, 'e')).status, 202);
    assert.equal(await claims(), 0);
  });

  it('compares the content and the media type of a file, and stores no second copy of it', async () => {
    const first = await upload('file', 'content');
    assert.equal(first.status, 201);
    const before = await stored();
    const again = await upload('file', 'content');
    assert.deepEqual(same(again), same(first));
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    assert.equal(first.headers.get('idempotent-replayed'), null);
    assert.deepEqual(code(await upload('file', 'CONTENT')), [422, 'IDEMPOTENCY_MISMATCH']);
    assert.deepEqual(code(await upload('file', 'content', 'B')), [422, 'IDEMPOTENCY_MISMATCH']);
    assert.deepEqual(code(await upload('file', 'content', 'A file', 'a.md')), [422, 'IDEMPOTENCY_MISMATCH']);
    assert.deepEqual(await stored(), before);
  });

  it('is in use while a file is uploaded, and free again when the client hangs up', async () => {
    const hungUp = beginUpload('slow', 'slow');
    await eventually(async () => (await claims()) === 1);
    const other = { ...keyed('slow'), bearer };
    const body = { name: 'slow', type: 'text', source };
    const meanwhile = await api.call('POST', '/resources', body, other);
    assert.deepEqual(code(meanwhile), [409, 'IDEMPOTENCY_IN_PROGRESS']);
    assert.match(meanwhile.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    hungUp.sent.destroy();
    await eventually(async () => (await claims()) === 0);

    const slow = beginUpload('slow', 'slow');
    await eventually(async () => (await claims()) === 1);
    assert.deepEqual(code(await api.call('POST', '/resources', body, other)), [
      409,
      'IDEMPOTENCY_IN_PROGRESS',
    ]);
    const first = await slow.end();
    assert.equal(first.status, 201);
    assert.deepEqual(await beginUpload('slow', 'slow').end(), first);
    assert.equal(await named('slow'), 1);
  });

  it('is free again when the client hangs up before its upload is read', async () => {
    const locked = await api.deps.db.transaction();
    await locked.raw('lock table idempotency_keys in access exclusive mode');
    const { sent } = beginUpload('early', 'early');
    await lockWaits(api.deps.db, 1);
    sent.destroy();
    await new Promise((closed) => sent.once('close', closed));
    // Whoever answers this has seen the end of a connection that came before it.
    await api.call('GET', '//health/live', undefined, { bearer: null });
    await locked.rollback();
    const again = { name: 'early', type: 'text', source };
    await eventually(
      async () => (await api.call('POST', '/resources', again, { ...keyed('early'), bearer })).status === 201,
    );
  });

  it('is held for the whole duration of the request', async () => {
    const lease = async (): Promise<Date> =>
      (await api.deps.db('idempotency_keys').whereNull('status').first('expires_at'))?.expires_at as Date;
    const slow = beginUpload('held', 'held');
    await eventually(async () => (await claims()) === 1);
    const begun = await lease();
    await eventually(async () => (await lease()) > begun);
    assert.equal((await slow.end()).status, 201);
  });

  it('of a process that died is taken over; if it is still alive, its change is undone', async () => {
    const before = (await stored()).length;
    const dead = beginUpload('taken', 'taken');
    await eventually(async () => (await claims()) === 1);
    const expired = await api.deps
      .db('idempotency_keys')
      .whereNull('status')
      .update({ expires_at: new Date(0) });
    assert.equal(expired, 1);
    const heir = await beginUpload('taken', 'taken').end();
    assert.equal(heir.status, 201);
    const late = await dead.end();
    assert.deepEqual([late.status, JSON.parse(late.body).error.code], [409, 'IDEMPOTENCY_IN_PROGRESS']);
    assert.equal(await named('taken'), 1);
    assert.equal((await stored()).length, before + 1);
    assert.deepEqual(await beginUpload('taken', 'taken').end(), heir);
  });

  it('is stored together with the change or not at all', async () => {
    const { db } = api.deps;
    const before = await stored();
    await db.raw('alter table idempotency_keys add constraint full_up check (status is null) not valid');
    try {
      assert.equal((await upload('whole', 'x', 'whole')).status, 500);
      const pipeline = { name: 'W', trigger_type: 'whole', steps: [step] };
      assert.equal((await send('/pipelines', pipeline, 'whole')).status, 500);
    } finally {
      await db.raw('alter table idempotency_keys drop constraint full_up');
    }
    await db.raw(
      `create function refuse() returns trigger language plpgsql as 'begin raise exception $$late$$; end'`,
    );
    await db.raw(
      'create constraint trigger late after insert on resources initially deferred for each row execute function refuse()',
    );
    try {
      assert.equal((await upload('whole', 'x', 'whole')).status, 500);
    } finally {
      await db.raw('drop function refuse cascade');
    }
    assert.equal(await named('whole'), 0);
    assert.equal((await db('pipelines').where({ trigger_type: 'whole' })).length, 0);
    assert.deepEqual([await stored(), await claims()], [before, 0]);
    assert.equal((await upload('whole', 'x', 'whole')).status, 201);
    assert.equal(await named('whole'), 1);
  });

  it('creates one resource from a hundred simultaneous requests', async () => {
    for (const ask of [
      () => send('/resources', { name: 'hundred', type: 'piped', source }, 'hundred'),
      () => upload('hundred files', 'hundred', 'hundred files'),
    ]) {
      const before = (await stored()).length;
      const answers = await Promise.all(Array.from({ length: 100 }, ask));
      const created = answers.filter(({ status }) => status === 201);
      assert.ok(created.length > 0);
      const [first] = created as [Answer];
      for (const answer of answers) {
        if (answer.status === 201) assert.deepEqual(same(answer), same(first));
        else assert.deepEqual(code(answer), [409, 'IDEMPOTENCY_IN_PROGRESS']);
      }
      assert.deepEqual(same(await ask()), same(first));
      assert.equal((await stored()).length - before, first.body.source_type === 'UPLOAD' ? 1 : 0);
    }
    assert.equal(await named('hundred'), 2);
  });

  it('expires after 24 hours', async () => {
    const { db } = api.deps;
    const body = { name: 'day', type: 'piped', source };
    const first = await send('/resources', body, 'day');
    const [{ hours }] = (
      await db.raw(
        'select round(extract(epoch from max(expires_at) - now()) / 3600) as hours from idempotency_keys',
      )
    ).rows as [{ hours: string }];
    assert.equal(Number(hours), 24);
    assert.equal(await sweepIdempotencyKeys(db, 1000), 0);
    await db('idempotency_keys').update({ expires_at: db.fn.now() });
    const second = await send('/resources', body, 'day');
    assert.notEqual(second.body.id, first.body.id);
    const sweep = api.deps.sweeps.find(({ name }) => name === 'expired rows');
    await sweep?.run(new AbortController().signal);
    assert.equal((await db('idempotency_keys')).length, 1);
    assert.deepEqual(same(await send('/resources', body, 'day')), same(second));
  });
});
