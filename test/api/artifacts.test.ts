import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import type { ReportedArtifact } from '@knowledge-warehouse/plugin/protocol';
import { listArtifacts } from '../../storage/artifacts.js';
import { sweepOrphans } from '../../storage/sweeps/orphans.js';
import { startApi, type Answer, type TestApi } from '../support/service/api.js';

function* brokenOff(): Generator<string> {
  yield '"quo';
  throw new Error('connection lost');
}

describe('artifacts', () => {
  let api: TestApi;
  let id: string;

  /** Has the newest run of the resource end with these artifacts. */
  const produce = async (...artifacts: ReportedArtifact[]): Promise<void> => {
    const { body: resource } = await api.call('GET', `/resources/${id}`);
    await api.advance(resource, { kind: 'BEGIN' });
    await api.advance(resource, { kind: 'RETURNED', index: 0, result: { artifacts } });
    assert.equal((await api.call('GET', `/resources/${id}`)).body.status, 'COMPLETED');
  };
  const shown = async (): Promise<Record<string, { id: string } & Record<string, unknown>>> =>
    Object.fromEntries(
      (await api.call('GET', `/resources/${id}`)).body.artifacts.map((each: { type: string }) => [
        each.type,
        each,
      ]),
    );
  const content = async (artifactId: string): Promise<Answer> =>
    await api.call('GET', `/resources/${id}/artifacts/${artifactId}`);

  before(async () => {
    api = await startApi();
    await api.call('PUT', '/plugins/worker', {
      name: 'W',
      kind: 'activity',
      task_queue: 'q',
      activity_type: 'a',
    });
    await api.call('POST', '/pipelines', {
      name: 'P',
      trigger_type: 'document',
      steps: [{ plugin_id: 'worker' }],
    });
    id = (await api.upload()).body.id;
  });
  after(() => api.stop());

  it('are shown with their content, whatever it is', async () => {
    const text = `"quoted" \\ back\nlines\u2028 \u0000 ü 報 😀 ${'€'.repeat(60_000)}`;
    const json = JSON.parse('{"__proto__":{"a":1},"lone":"\\ud800","deep":[{"":null}],"n":1e308}') as Record<
      string,
      unknown
    >;
    await produce(
      { type: 'text', content_type: 'text', content: text, metadata: { pages: 2 } },
      { type: 'short', content_type: 'text', content: text.slice(0, 50) },
      { type: 'empty', content_type: 'text', content: '' },
      { type: 'data', content_type: 'json', content: json },
      { type: 'vector', content_type: 'vector', content: [0.5, -1, 1e-9] },
      {
        type: 'vectors',
        content_type: 'vector',
        content: [
          [1, 2],
          [3, 4],
        ],
      },
    );
    const artifacts = await shown();
    const { id: textId, created_at, updated_at, ...rest } = artifacts['text']!;
    assert.deepEqual(rest, {
      type: 'text',
      content_type: 'text',
      step_index: 0,
      plugin_id: 'worker',
      run: 1,
      size_bytes: Buffer.byteLength(text),
      metadata: { pages: 2 },
    });
    assert.equal(created_at, updated_at);
    assert.deepEqual((await content(textId)).body, {
      id: textId,
      type: 'text',
      content_type: 'text',
      content: text,
    });
    assert.equal((await content(artifacts['short']!.id)).body.content, text.slice(0, 50));
    assert.equal((await content(artifacts['empty']!.id)).body.content, '');
    assert.equal(JSON.stringify((await content(artifacts['data']!.id)).body.content), JSON.stringify(json));
    assert.deepEqual((await content(artifacts['vector']!.id)).body.content, [0.5, -1, 1e-9]);
    assert.deepEqual((await content(artifacts['vectors']!.id)).body.content, [
      [1, 2],
      [3, 4],
    ]);
    const head = await api.call('HEAD', `/resources/${id}/artifacts/${textId}`);
    assert.deepEqual([head.status, head.text], [200, '']);
  });

  it('fail with an error, not half their content, when the store breaks off within a short one', async () => {
    const { short } = await shown();
    const { objectStore } = api.deps;
    const genuine = objectStore.get.bind(objectStore);
    objectStore.get = () => {
      objectStore.get = genuine;
      return Promise.resolve({ stream: Readable.from(brokenOff()), size: short!['size_bytes'] as number });
    };
    const { status, body } = await content(short!.id);
    assert.deepEqual([status, body.error.code], [503, 'STORAGE_UNAVAILABLE']);
  });

  it('keep their ids when a later run produces them again, and are removed when it does not', async () => {
    const before = await shown();
    const reprocessed = await api.call('POST', `/resources/${id}/reprocess`);
    assert.equal(reprocessed.body.artifacts.length, 6, 'what was made stays readable meanwhile');
    await produce({ type: 'text', content_type: 'json', content: { new: true } });
    const now = await shown();
    assert.deepEqual(Object.keys(now), ['text']);
    assert.deepEqual([now['text']!.id, now['text']!['run']], [before['text']!.id, 2]);
    assert.deepEqual((await content(now['text']!.id)).body.content, { new: true });
    assert.equal((await content(before['data']!.id)).status, 404);
  });

  it('are read again when their object is replaced between two reads', async () => {
    const [artifact] = await listArtifacts(api.deps.db, id);
    const { db, objectStore } = api.deps;
    // Of a store that does not say whose it is nothing is known to be gone.
    await sweepOrphans(db, objectStore, { after: null, limit: 1, before: new Date(0) });
    const genuine = objectStore.get.bind(objectStore);
    objectStore.get = async (key, options) => {
      objectStore.get = genuine;
      // What a run does that commits just now: a new object, the row, then the old object goes.
      await objectStore.put(`${artifact!.object_key}-new`, Buffer.from('{"newest":true}'));
      await api.deps
        .db('artifacts')
        .where({ id: artifact!.id })
        .update({ object_key: `${artifact!.object_key}-new`, size_bytes: 15 });
      await objectStore.delete([key]);
      return await genuine(key, options);
    };
    assert.deepEqual((await content(artifact!.id)).body.content, { newest: true });
    await objectStore.delete([`${artifact!.object_key}-new`]);
    const { status, body } = await content(artifact!.id);
    assert.deepEqual([status, body.error.code], [500, 'ARTIFACT_UNREADABLE']);
  });

  it('are deleted with their resource', async () => {
    const { text } = await shown();
    assert.equal((await api.call('DELETE', `/resources/${id}`)).status, 204);
    assert.equal((await content(text!.id)).status, 404);
  });

  it('return just their content to clients that ask for it, with ranges and a separate ETag', async () => {
    id = (await api.upload()).body.id;
    await produce(
      { type: 'text', content_type: 'text', content: 'für dich' },
      { type: 'vector', content_type: 'vector', content: [0.5, 1] },
    );
    const { text, vector } = await shown();
    const bearer = await api.key('read');
    const get = async (artifact: { id: string } | undefined, headers: Record<string, string>) => {
      const url = `${api.base}/api/v1/resources/${id}/artifacts/${artifact!.id}`;
      const answer = await fetch(url, { headers: { authorization: `Bearer ${bearer}`, ...headers } });
      const [type] = (answer.headers.get('content-type') ?? '').split(';');
      assert.match(answer.headers.get('vary') ?? '', /Accept/);
      return { status: answer.status, type, etag: answer.headers.get('etag')!, body: await answer.text() };
    };
    const seen = async (artifact: { id: string } | undefined, accept: string): Promise<unknown[]> => {
      const { status, type, body } = await get(artifact, { accept });
      return [status, type, body.startsWith('{"id"') ? 'envelope' : body];
    };
    for (const accept of [
      '*/*',
      'application/json, text/plain, */*',
      'application/json;q=0.9, text/plain;q=0.8',
    ])
      assert.deepEqual(await seen(text, accept), [200, 'application/json', 'envelope'], accept);
    for (const accept of ['text/plain', 'text/*', 'TEXT/PLAIN; charset=utf-8, */*;q=0.1'])
      assert.deepEqual(await seen(text, accept), [200, 'text/plain', 'für dich'], accept);
    for (const accept of ['application/json', 'application/*', '*/*'])
      assert.deepEqual(await seen(vector, accept), [200, 'application/json', 'envelope'], accept);
    const octets = 'application/octet-stream';
    assert.deepEqual(await seen(vector, octets), [200, octets, '[0.5,1]']);
    for (const accept of ['image/png', 'text/plain', 'application/json;q=0, image/*']) {
      const refused = await get(vector, { accept });
      assert.deepEqual(
        [refused.status, JSON.parse(refused.body).error.code],
        [406, 'NOT_ACCEPTABLE'],
        accept,
      );
    }
    const raw = await get(text, { accept: 'text/plain' });
    const whole = await get(text, {});
    assert.notEqual(raw.etag, whole.etag);
    for (const [accept, etag] of [
      ['text/plain', raw.etag],
      ['*/*', whole.etag],
    ] as const)
      assert.equal((await get(text, { accept, 'if-none-match': etag })).status, 304);
    const part = { accept: 'text/plain', range: 'bytes=5-8' };
    assert.deepEqual(await get(text, part), { ...raw, status: 206, body: 'dich'.slice(0, 4) });
    assert.equal((await get(text, { ...part, 'if-range': raw.etag })).status, 206);
    assert.equal((await get(text, { ...part, 'if-range': whole.etag })).body, 'für dich');
    assert.equal((await get(text, { ...part, range: 'bytes=99-' })).status, 416);
    const all = await get(vector, { accept: octets });
    const end = { accept: octets, range: 'bytes=-3' };
    assert.deepEqual(await get(vector, end), { ...all, status: 206, body: ',1]' });
    assert.equal((await get(vector, { accept: octets, 'if-none-match': all.etag })).status, 304);
  });
});
