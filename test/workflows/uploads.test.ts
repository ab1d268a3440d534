import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { startCore, type TestCore } from '../support/service/core.js';
import { startHttpWorker, type ArrivedStep, type HttpWorker } from '../support/workers/http-worker.js';
import { eventually } from '../support/eventually.js';

const limit = 3 * 1024 * 1024;

describe('content that is sent ahead of its report', () => {
  let core: TestCore;
  let worker: HttpWorker;

  before(async () => {
    [core, worker] = await Promise.all([
      startCore({ plugins: [], env: { KW_MAX_ARTIFACT_BYTES: String(limit) } }),
      startHttpWorker(),
    ]);
    const plugin = { id: 'large', name: 'Large', kind: 'http', endpoint: worker.endpoint };
    assert.equal((await core.call('POST', '/plugins', plugin)).status, 201);
    await core.pipeline('large', {
      plugin_id: 'large',
      max_attempts: 2,
      backoff_seconds: 0,
      timeout_seconds: 60,
    });
    worker.handle = () => ({ status: 202 });
  });
  after(async () => {
    await core.stop();
    await worker.stop();
  });

  const nextStep = async (): Promise<{ id: string; step: ArrivedStep }> => {
    const seen = worker.arrived.length;
    const { id } = await core.upload('large');
    return { id, step: await eventually(() => worker.arrived[seen]) };
  };
  const contentOf = async (id: string, type: string): Promise<unknown> => {
    const { body } = await core.call('GET', `/resources/${id}`);
    const { id: artifactId } = body.artifacts.find((each: { type: string }) => each.type === type);
    return (await core.call('GET', `/resources/${id}/artifacts/${artifactId}`)).body.content;
  };
  const keysOf = async (id: string): Promise<string[]> => {
    const keys: string[] = [];
    for await (const { key } of core.deps.objectStore.list(`resources/${id}/artifacts/`)) keys.push(key);
    return keys;
  };

  it('becomes artifacts of every kind; what no report names is removed', async () => {
    const { id, step } = await nextStep();
    const contents = {
      text: 'ä€𝄞 "quoted"\n'.repeat(130_000),
      json: { pages: Array.from({ length: 60_000 }, (_, page) => ({ page, text: 'x'.repeat(10) })) },
      vector: Array.from({ length: 300 }, (_, row) => Array.from({ length: 500 }, (_, i) => row + i / 7)),
    };
    const artifacts = [];
    for (const [kind, content] of Object.entries(contents)) {
      const head = { type: `big-${kind}`, content_type: kind };
      const bytes = typeof content === 'string' ? content : JSON.stringify(content);
      assert.ok(Buffer.byteLength(bytes) > 1024 * 1024);
      const { status, body } = await worker.upload(step, head, bytes);
      assert.deepEqual([status, body['size_bytes']], [201, Buffer.byteLength(bytes)]);
      artifacts.push({ ...head, upload_id: body['upload_id'], metadata: { kind } });
    }
    assert.equal((await worker.upload(step, { type: 'x', content_type: 'text' }, 'unused')).status, 201);
    const inline = { type: 'small', content_type: 'text', content: 'beside them' };
    const report = { status: 'SUCCESS', artifacts: [...artifacts, inline] };
    assert.equal((await worker.report(step, report)).status, 200);
    assert.equal((await worker.report(step, report)).body['duplicate'], true);

    const resource = await core.settled(id);
    assert.equal(resource.status, 'COMPLETED');
    for (const [kind, content] of Object.entries(contents))
      assert.deepEqual(await contentOf(id, `big-${kind}`), content);
    assert.equal(await contentOf(id, 'small'), 'beside them');
    await eventually(async () => (await keysOf(id)).length === 4);
    assert.deepEqual(await core.deps.db('uploads').select(), []);
  });

  const refused: readonly (readonly [string, string, NonNullable<RequestInit['body']>, number, string])[] = [
    ['text that is not UTF-8', 'text', new Uint8Array([0x61, 0xff, 0x62]), 400, 'VALIDATION_FAILED'],
    ['JSON that is none', 'json', '{"a": [1, 2}', 400, 'VALIDATION_FAILED'],
    ['JSON that ends too soon', 'json', '{"a": [1, 2]', 400, 'VALIDATION_FAILED'],
    ['nothing for JSON', 'json', '', 400, 'VALIDATION_FAILED'],
    ['JSON that is no object', 'json', '[1]', 400, 'VALIDATION_FAILED'],
    ['JSON nested too deep', 'json', `${'{"a":'.repeat(101)}1${'}'.repeat(101)}`, 400, 'VALIDATION_FAILED'],
    ['a number beyond a double', 'json', '{"a": 1e400}', 400, 'VALIDATION_FAILED'],
    ['a vector with a ragged row', 'vector', '[[1, 2], [3]]', 400, 'VALIDATION_FAILED'],
    ['a vector of rows and numbers', 'vector', '[[1, 2], 3]', 400, 'VALIDATION_FAILED'],
    ['a vector of texts', 'vector', '["1"]', 400, 'VALIDATION_FAILED'],
    ['a vector of vectors of vectors', 'vector', '[[[1]]]', 400, 'VALIDATION_FAILED'],
    ['a number for a vector', 'vector', '1', 400, 'VALIDATION_FAILED'],
    ['another kind of content', 'image', 'x', 400, 'VALIDATION_FAILED'],
    ['more than the limit', 'text', 'x'.repeat(limit + 1), 413, 'PAYLOAD_TOO_LARGE'],
    ['more than the limit, piece by piece', 'text', pieces(limit + 1), 413, 'PAYLOAD_TOO_LARGE'],
  ];
  it('is rejected if it does not match its declaration, and nothing of it is stored', async () => {
    const { id, step } = await nextStep();
    for (const [name, kind, content, status, code] of refused) {
      const answer = await worker.upload(step, { type: 'x', content_type: kind }, content);
      assert.deepEqual([answer.status, answer.body['error']?.code], [status, code], name);
    }
    const gzip = { 'content-encoding': 'gzip' };
    const zipped = await worker.upload(step, { type: 'x', content_type: 'text' }, gzipSync('a'), gzip);
    assert.deepEqual([zipped.status, zipped.body['error']?.code], [415, 'UNSUPPORTED_MEDIA_TYPE']);
    assert.deepEqual(await keysOf(id), []);
    assert.deepEqual(await core.deps.db('uploads').select(), []);
    await worker.report(step, { status: 'SUCCESS' });
    await core.settled(id);
    const late = await worker.upload(step, { type: 'x', content_type: 'text' }, 'late');
    assert.deepEqual([late.status, late.body['error'].code], [409, 'ATTEMPT_CLOSED']);
  });

  it('is rejected if its attempt is closed while it arrives, with the reason', async () => {
    const succeed = (step: ArrivedStep) => worker.report(step, { status: 'SUCCESS' });
    const closings: [close: (step: ArrivedStep, id: string) => Promise<unknown>, expected: unknown[]][] = [
      [succeed, [409, 'ATTEMPT_CLOSED', 'SETTLED']],
      [
        async (_step, id) => {
          await core.call('POST', `/resources/${id}/cancel`);
          await core.settled(id);
        },
        [409, 'ATTEMPT_CLOSED', 'CANCELLED'],
      ],
      [
        async (step, id) => {
          await succeed(step);
          await core.settled(id);
          assert.equal((await core.call('DELETE', `/resources/${id}`)).status, 204);
        },
        [404, 'NOT_FOUND', undefined],
      ],
    ];
    for (const [close, expected] of closings) {
      const { id, step } = await nextStep();
      let end!: () => void;
      const content = new ReadableStream({
        start(controller) {
          controller.enqueue(Buffer.from('half'));
          end = () => controller.close();
        },
      });
      const answer = worker.upload(step, { type: 'late', content_type: 'text' }, content);
      await eventually(async () => (await core.deps.db('uploads').where({ resource_id: id })).length === 1);
      await close(step, id);
      end();
      const { status, body } = await answer;
      assert.deepEqual([status, body['error'].code, body['error'].details.reason], expected);
      await eventually(async () => (await keysOf(id)).length === 0);
    }
  });

  it('belongs to the attempt that sent it: a report that names another is rejected and may be sent again', async () => {
    const other = await nextStep();
    const foreign = await worker.upload(other.step, { type: 'note', content_type: 'text' }, 'not yours');
    const { id, step } = await nextStep();
    const head = { type: 'note', content_type: 'text' };
    const { body: own } = await worker.upload(step, head, 'mine');
    const wrong = [
      { ...head, upload_id: foreign.body['upload_id'] },
      { ...head, upload_id: '01a1fbf8-5123-7763-82ff-e4716eb5a845' },
      { ...head, upload_id: `urn:uuid:${String(own['upload_id'])}` },
      { type: 'letter', content_type: 'text', upload_id: own['upload_id'] },
      { type: 'note', content_type: 'json', upload_id: own['upload_id'] },
      { ...head, upload_id: own['upload_id'], content: 'both' },
      { ...head },
    ];
    for (const artifact of wrong) {
      const answer = await worker.report(step, { status: 'SUCCESS', artifact });
      const { code, message } = answer.body['error'];
      assert.deepEqual([answer.status, code], [400, 'VALIDATION_FAILED']);
      if ('upload_id' in artifact && 'content' in artifact)
        assert.equal(message, '/artifact: has two keys of which only one is allowed');
    }
    const right = { status: 'SUCCESS', artifact: { ...head, upload_id: own['upload_id'] } };
    assert.equal((await worker.report(step, right)).status, 200);
    await core.settled(id);
    assert.equal(await contentOf(id, 'note'), 'mine');
    await worker.report(other.step, { status: 'FAILURE', error: { retryable: false } });
    await core.settled(other.id);
    await eventually(async () => (await keysOf(other.id)).length === 0);
  });
});

function pieces(bytes: number): ReadableStream<Uint8Array> {
  let left = bytes;
  return new ReadableStream({
    pull(controller) {
      const size = Math.min(left, 64 * 1024);
      left -= size;
      if (size > 0) controller.enqueue(new Uint8Array(size).fill(0x78));
      if (left === 0) controller.close();
    },
  });
}
