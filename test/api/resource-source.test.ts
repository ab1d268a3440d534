import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { eventually } from '../support/eventually.js';
import { startApi, type Answer, type TestApi } from '../support/service/api.js';

const pdf = '%PDF-1.4\n1 0 obj <</Type /Catalog>> endobj\ntrailer <</Root 1 0 R>>\n%%EOF\n';
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('the source of a resource', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.stop());

  const register = async (name: string, content: string | Uint8Array): Promise<string> =>
    (await api.upload({ name, type: 'source' }, content)).body.id;
  const read = (id: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> =>
    api.call(method, `/resources/${id}/source`, undefined, { headers });

  it('is downloaded with its media type, name and hash, and nothing that a browser would run', async () => {
    const name = 'Übersicht "2025" (50%).pdf';
    const { status, text, headers } = await read(await register(name, pdf));
    assert.deepEqual([status, text, headers.get('content-type')], [200, pdf, 'application/pdf']);
    assert.equal(headers.get('etag'), `"${createHash('sha256').update(pdf).digest('hex')}"`);
    assert.equal(
      headers.get('content-disposition'),
      `inline; filename="?bersicht \\"2025\\" (50_).pdf"; filename*=UTF-8''%C3%9Cbersicht%20%222025%22%20%2850%25%29.pdf`,
    );
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.match(headers.get('content-security-policy') ?? '', /^sandbox; default-src 'none'/);
  });

  it('has a name of at most 255 bytes, with its extension', async () => {
    const { headers } = await read(await register(`${'漢'.repeat(495)}.pdf`, pdf));
    const short = `${'漢'.repeat(83)}.pdf`;
    assert.equal(
      headers.get('content-disposition'),
      `inline; filename="${'?'.repeat(83)}.pdf"; filename*=UTF-8''${encodeURIComponent(short)}`,
    );
  });

  it('is displayed in the browser only if it is a PDF, an image or plain text', async () => {
    for (const [name, content, disposition] of [
      ['plain.txt', 'plain text', 'inline'],
      ['dot.png', png, 'inline'],
      ['page.html', '<!doctype html><script>alert(1)</script>', 'attachment'],
      ['image.svg', svg, 'attachment'],
    ] as const) {
      const { headers } = await read(await register(name, content));
      const type = headers.get('content-type');
      assert.equal(headers.get('content-disposition'), `${disposition}; filename="${name}"`, `${type}`);
    }
  });

  it('has a charset if it is a text in UTF-8, and none if it is in another encoding', async () => {
    const words = 'naïve café';
    for (const [name, content, type] of [
      ['ansi.txt', Buffer.from(words, 'latin1'), 'text/plain'],
      ['unicode.txt', Buffer.from(`\uFEFF${words}`, 'utf16le'), 'text/plain'],
      ['short.txt', Buffer.from(words), 'text/plain; charset=utf-8'],
      ['long.txt', Buffer.from('é'.repeat(100_000)), 'text/plain; charset=utf-8'],
      ['end.txt', Buffer.from('café', 'latin1'), 'text/plain'],
      ['late.txt', Buffer.from(`${'a'.repeat(200_000)}é.`, 'latin1'), 'text/plain'],
      ['data.json', Buffer.from('{"a": 1}'), 'application/json'],
    ] as const) {
      const id = await register(name, content);
      for (const range of ['', 'bytes=0-']) {
        const answer = await read(id, { range });
        assert.equal(answer.headers.get('content-type'), type, name);
        assert.equal(answer.text, new TextDecoder().decode(content), name);
      }
    }
  });

  it('supports ranges, and is not sent again to a client that has it', async () => {
    const id = await register('ranges.pdf', pdf);
    const etag = (await read(id)).headers.get('etag') ?? '';
    const part = await read(id, { range: 'bytes=0-7' });
    assert.deepEqual([part.status, part.text], [206, '%PDF-1.4']);
    assert.deepEqual(
      [part.headers.get('content-range'), part.headers.get('etag')],
      [`bytes 0-7/${pdf.length}`, etag],
    );
    assert.equal((await read(id, { range: 'bytes=0-7', 'if-range': etag })).status, 206);
    assert.equal((await read(id, { range: 'bytes=0-7', 'if-range': '"other"' })).text, pdf);
    const all = await read(id, { range: 'bytes=-9999' });
    assert.deepEqual([all.status, all.text], [206, pdf]);
    const beyond = await read(id, { range: 'bytes=9999-' });
    assert.deepEqual([beyond.status, beyond.body.error.code], [416, 'RANGE_NOT_SATISFIABLE']);
    assert.match(beyond.headers.get('content-range')!, /^bytes \*\/\d+$/);
    const kept = await read(id, { 'if-none-match': `"other", ${etag}`, range: 'bytes=0-7' });
    assert.deepEqual([kept.status, kept.text, kept.headers.get('etag')], [304, '', etag]);
    // A range has a meaning only for GET (RFC 9110 §14.2).
    const asked: Record<string, string>[] = [{}, { range: 'bytes=0-7' }, { range: 'bytes=9999-' }];
    for (const headers of asked) {
      const head = await read(id, headers, 'HEAD');
      assert.deepEqual(
        [head.status, head.text, head.headers.get('content-length'), head.headers.get('content-type')],
        [200, '', String(pdf.length), 'application/pdf'],
      );
    }
  });

  it('is 409 while its URL is not fetched yet, and 404 if it never existed', async () => {
    const plugin = { id: 'w', name: 'W', kind: 'activity', task_queue: 'q', activity_type: 'a' };
    await api.call('POST', '/plugins', plugin);
    await api.call('POST', '/pipelines', { name: 'P', trigger_type: 'fetched', steps: [{ plugin_id: 'w' }] });
    const url = { kind: 'URL', url: 'https://example.com/' };
    for (const [type, status, code] of [
      ['fetched', 409, 'RESOURCE_PROCESSING'],
      ['unknown', 404, 'NOT_FOUND'],
    ] as const) {
      const { id } = (await api.call('POST', '/resources', { name: 'U', type, source: url })).body;
      const answer = await read(id);
      assert.deepEqual([answer.status, answer.body.error.code], [status, code]);
    }
  });

  it('requires the scope to read, and reports damaged bytes', async () => {
    const id = await register('lost.txt', 'lost');
    assert.equal((await api.call('GET', `/resources/${id}/source`, undefined, { bearer: null })).status, 401);
    const row = await api.deps.db('resources').where({ id }).first('object_key');
    await api.deps.objectStore.put((row as { object_key: string }).object_key, Buffer.from('tsol'));
    const answer = await read(id);
    assert.deepEqual([answer.status, answer.body.error.code], [500, 'SOURCE_UNREADABLE']);
  });

  it('is 503 if the store fails before its first byte, and breaks off as our failure after it', async () => {
    const id = await register('large.bin', new Uint8Array(300_000));
    const { objectStore } = api.deps;
    const get = objectStore.get.bind(objectStore);
    let isRead = Promise.resolve();
    async function* broken(bytes: number): AsyncGenerator<Buffer> {
      if (bytes > 0) yield Buffer.alloc(bytes);
      await isRead;
      throw new Error('connection reset');
    }
    const breakAfter = (bytes: number): void => {
      const stream = (): Readable => Readable.from(broken(bytes), { objectMode: false });
      objectStore.get = () => Promise.resolve({ stream: stream(), size: 300_000 });
    };
    const counted = async (status: number): Promise<string | undefined> => {
      const { text } = await api.call('GET', '//metrics');
      return new RegExp(`_count\\{method="GET",route="[^"]*/source",status="${status}"\\} (.*)`).exec(
        text,
      )?.[1];
    };
    try {
      breakAfter(0);
      for (const range of ['', 'bytes=0-9', 'bytes=0-99999']) {
        const { status, body } = await read(id, { range });
        assert.deepEqual([status, body.error.code], [503, 'STORAGE_UNAVAILABLE'], range);
      }
      await eventually(async () => (await counted(503)) === '3');
      let release = (): void => undefined;
      isRead = new Promise((resolve) => (release = resolve));
      breakAfter(100_000);
      const answer = await fetch(`${api.base}/api/v1/resources/${id}/source`, {
        headers: { authorization: `Bearer ${await api.key('read')}` },
      });
      assert.equal(answer.status, 200);
      release();
      await assert.rejects(answer.arrayBuffer());
      await eventually(async () => (await counted(503)) === '4');
    } finally {
      objectStore.get = get;
    }
  });
});
