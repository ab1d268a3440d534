import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { boundary, encode, form, multipart, type Part } from '../support/network/multipart.js';
import {
  fields,
  file,
  maxUploadBytes,
  startUploadServer,
  type UploadServer,
} from '../support/network/upload-server.js';

describe('rejected uploads', () => {
  let server: UploadServer;
  before(async () => {
    server = await startUploadServer();
  });
  afterEach(() => server.endTest());
  after(() => server.stop());

  it('are rejected unread if their length is too large', async () => {
    const request = server.open({ ...multipart, 'content-length': 10 ** 12 });
    request.flushHeaders();
    const body = await server.refused(server.answerOf(request), 413, 'PAYLOAD_TOO_LARGE');
    assert.deepEqual(body.details, { limit_bytes: maxUploadBytes });
    request.destroy();
  });

  it('are rejected while they are still arriving', async () => {
    const chunk = Buffer.alloc(256 * 1024);
    for (const [part, status, code] of [
      [file, 413, 'PAYLOAD_TOO_LARGE'],
      [{ ...file, name: 'attachment' }, 400, 'VALIDATION_FAILED'],
    ] as const) {
      const request = server.open();
      request.on('error', () => undefined);
      request.write(encode({ ...part, content: chunk }).subarray(0, -2));
      let answered = false;
      const more = (): void => {
        if (!answered && !request.destroyed) request.write(chunk, () => setImmediate(more));
      };
      more();
      const answer = await server.answerOf(request);
      answered = true;
      request.destroy();
      await server.refused(answer, status, code);
    }
  });

  it('are read to the end although the rejection closes the connection', async () => {
    const body = form({ ...file, content: Buffer.alloc(16 * 1024 * 1024) });
    const socket = connect(server.port, '127.0.0.1');
    const head = `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${multipart['content-type']}\r\n`;
    socket.write(`${head}Content-Length: ${body.length}\r\n\r\n`);
    await new Promise<void>((resolve, reject) =>
      socket.write(body, (error) => (error ? reject(error) : resolve())),
    );
    assert.match(await text(socket), /^HTTP\/1.1 413 /);
    await server.assertNothingKept();
  });

  it('are rejected for unknown fields', async () => {
    const long = 'x'.repeat(64 * 1024 + 1);
    const cases: [parts: Part[], path: string][] = [
      [[file, { ...file, name: 'other' }], '/other'],
      [[{ ...file, name: 'a/b~c' }], '/a~1b~0c'],
      [[file, file], '/file'],
      [[file, { name: 'name', content: 'a' }, { name: 'name', content: 'b' }], '/name'],
      [[file, { name: 'name', content: long }], '/name'],
      [[file, { name: 'a[b]', content: 'x' }], '/a[b]'],
      [[file, { name: 'a[]', content: 'x' }], '/a[]'],
      [[{ name: 'file', content: 'text, and no file' }], '/file'],
      [[{ ...file, content: '' }], '/file'],
      [[file, ...Array.from({ length: 21 }, (_, i) => ({ name: `f${i}`, content: 'x' }))], ''],
      [[file, { name: 'n'.repeat(101), content: 'x' }], ''],
      [[file, { content: 'a part without a name' }], ''],
      [[file, { name: 'name', type: 'text/plain; charset=klingon', content: 'x' }], '/name'],
    ];
    for (const [parts, path] of cases) {
      const { details } = await server.refused(server.send(form(...parts)), 400, 'VALIDATION_FAILED');
      assert.equal((details!['errors'] as { path: string }[])[0]?.path, path);
    }
  });

  it('are rejected if the body is malformed', async () => {
    const whole = form(...fields, file);
    for (const body of [
      whole.subarray(0, whole.length - 10),
      whole.subarray(0, 40),
      whole.subarray(0, whole.indexOf('Hello') + 3),
      Buffer.from('rubbish'),
      Buffer.alloc(0),
      Buffer.from(`--${boundary}\r\nrubbish\r\n\r\n`),
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\x00\x00: x\r\n\r\nx\r\n--${boundary}--`,
      ),
    ]) {
      await server.refused(server.send(body), 400, 'MALFORMED_BODY');
    }
  });

  it('are rejected if a field is not UTF-8, wherever its bytes are cut', async () => {
    const latin1 = { name: 'name', content: Buffer.from('caf\u00e9', 'latin1') };
    const body = await server.refused(server.send(form(latin1, file)), 400, 'MALFORMED_BODY');
    assert.match(body.message ?? '', /field name/);
    const request = server.open();
    for (const byte of form(file, { name: 'name', content: 'sent as \ufffd' })) {
      if (!request.write(Buffer.of(byte))) await once(request, 'drain');
    }
    request.end();
    assert.equal((await server.answerOf(request)).body.fields?.['name'], 'sent as \ufffd');
  });

  it('are rejected without a boundary', async () => {
    const body = form(file);
    await server.refused(server.send(body, { 'content-type': 'multipart/form-data' }), 400, 'MALFORMED_BODY');
    const without = server.open({ ...multipart, 'content-length': 0 });
    without.end();
    await server.refused(server.answerOf(without), 400, 'MALFORMED_BODY');
  });
});
