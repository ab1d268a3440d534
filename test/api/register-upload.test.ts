import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { form, multipart } from '../support/network/multipart.js';
import { startApi, type Answer, type TestApi } from '../support/service/api.js';

const maxUploadBytes = 100_000;

describe('POST /resources with a file', () => {
  let api: TestApi;

  const stored = async (): Promise<string[]> => {
    const keys: string[] = [];
    for await (const { key } of api.deps.objectStore.list('resources/')) keys.push(key);
    return keys;
  };
  const send = async (...fields: (readonly [string, string | Blob])[]): Promise<Answer> => {
    const data = new FormData();
    for (const [name, value] of fields) {
      if (typeof value === 'string') data.append(name, value);
      else data.append(name, value, 'file.txt');
    }
    return await api.call('POST', '/resources', data);
  };
  const file = new Blob(['some text\n'], { type: 'application/pdf' });

  before(async () => {
    api = await startApi({ env: { KW_MAX_UPLOAD_BYTES: String(maxUploadBytes) } });
  });
  after(() => api.stop());

  it('accepts its parts in any order, with or without source', async () => {
    const source = ['source', '{"kind":"UPLOAD"}'] as const;
    const parts = [
      ['name', ' Notes '],
      ['type', 'text'],
      ['file', file],
    ] as const;
    const orders = [parts, parts.toReversed(), [source, ...parts], [parts[2], source, parts[0], parts[1]]];
    for (const order of orders) {
      const { status, body } = await send(...order);
      assert.equal(status, 201, JSON.stringify(body));
      assert.deepEqual(
        [
          body.name,
          body.type,
          body.source_type,
          body.source_uri,
          body.size_bytes,
          body.media_type,
          body.sha256,
        ],
        [
          'Notes',
          'text',
          'UPLOAD',
          null,
          10,
          'text/plain',
          createHash('sha256').update('some text\n').digest('hex'),
        ],
      );
      assert.ok((await stored()).some((key) => key.startsWith(`resources/${body.id}/source/`)));
      assert.doesNotMatch(JSON.stringify(body), /resources\/.*\/source/);
    }
    assert.equal((await stored()).length, orders.length);
  });

  it('stores nothing from rejected requests', async () => {
    const before = await stored();
    const name = ['name', 'n'] as const;
    const type = ['type', 't'] as const;
    const large = new Blob(['x'.repeat(maxUploadBytes + 1)]);
    const cases: [string, (readonly [string, string | Blob])[], number, string, string?][] = [
      ['no file', [name, type], 400, 'VALIDATION_FAILED', '/file'],
      ['a file that is text', [name, type, ['file', 'text']], 400, 'VALIDATION_FAILED', '/file'],
      ['an empty file', [name, type, ['file', new Blob([])]], 400, 'VALIDATION_FAILED', '/file'],
      ['too large a file', [name, type, ['file', large]], 413, 'PAYLOAD_TOO_LARGE'],
      ['too large a file, before its name', [['file', large], name, type], 413, 'PAYLOAD_TOO_LARGE'],
      ['no name', [['file', file], type], 400, 'VALIDATION_FAILED', '/name'],
      ['an empty name', [['file', file], type, ['name', ' ']], 400, 'VALIDATION_FAILED', '/name'],
      ['two names', [['file', file], type, name, name], 400, 'VALIDATION_FAILED', '/name'],
      ['two files', [name, type, ['file', file], ['file', file]], 400, 'VALIDATION_FAILED', '/file'],
      [
        'another field',
        [name, type, ['file', file], ['status', 'COMPLETED']],
        400,
        'VALIDATION_FAILED',
        '/status',
      ],
      ['another file', [name, type, ['other', file]], 400, 'VALIDATION_FAILED', '/other'],
      [
        'a source that is no JSON',
        [name, type, ['file', file], ['source', 'UPLOAD']],
        400,
        'VALIDATION_FAILED',
        '/source',
      ],
      [
        'a URL',
        [name, type, ['file', file], ['source', '{"kind":"URL","url":"https://example.com"}']],
        400,
        'VALIDATION_FAILED',
        '/source/kind',
      ],
      [
        'a source with a path',
        [name, type, ['file', file], ['source', '{"kind":"UPLOAD","file":"/etc/passwd"}']],
        400,
        'VALIDATION_FAILED',
        '/source/file',
      ],
    ];
    for (const [what, fields, status, code, path] of cases) {
      const answer = await send(...fields);
      assert.deepEqual([answer.status, answer.body.error.code], [status, code], `${what}: ${answer.text}`);
      if (path !== undefined) assert.equal(answer.body.error.details.errors[0].path, path, what);
      if (status === 413) assert.equal(answer.body.error.details.limit_bytes, maxUploadBytes);
    }
    const type400 = { headers: { 'content-type': 'multipart/form-data' } };
    assert.equal((await api.call('POST', '/resources', 'x', type400)).body.error.code, 'MALFORMED_BODY');
    const raw = await api.call('POST', '/resources', 'x', { headers: { 'content-type': 'text/csv' } });
    assert.deepEqual(
      [raw.body.error.code, raw.body.error.message],
      ['UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json, or a file as multipart/form-data.'],
    );
    const nameless = { name: 'file', type: 'application/octet-stream', content: 'some text' };
    const parts = form({ name: 'name', content: 'n' }, { name: 'type', content: 't' }, nameless).toString();
    const { body } = await api.call('POST', '/resources', parts, { headers: multipart });
    assert.equal(body.error.message, '/file: is missing, or has no file name');
    assert.equal((await api.call('POST', '/resources?x=1', new FormData())).status, 400);
    assert.deepEqual(await stored(), before);
  });

  it('deletes the file of a resource that the database rejects', async () => {
    const before = (await stored()).length;
    await api.deps.db.raw('alter table resources add constraint no_such check (name <> $$refused$$)');
    assert.equal((await send(['name', 'refused'], ['type', 't'], ['file', file])).status, 500);
    assert.equal((await stored()).length, before);
  });
});
