import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import { uuidv7 } from '../../core/ids.js';
import { connectDatabase } from '../../storage/database/connection.js';
import { exchange } from '../support/network/raw-http.js';
import { askOnce, startApi, type TestApi } from '../support/service/api.js';

describe('the HTTP conventions', () => {
  let api: TestApi;
  const unknownId = uuidv7();

  before(async () => {
    api = await startApi();
  });
  after(() => api.stop());

  it('let a thousand clients connect at once while the process is busy', async () => {
    const connected = new Int32Array(new SharedArrayBuffer(4));
    const port = Number(new URL(api.base).port);
    const clients = new Worker(
      `const { connected, count, port } = require('node:worker_threads').workerData;
       let left = count;
       for (let index = 0; index < count; index++)
         require('node:net').connect(port, '127.0.0.1').on('error', () => undefined).once('connect', () => {
           if (--left > 0) return;
           Atomics.store(connected, 0, 1);
           Atomics.notify(connected, 0);
         });`,
      { eval: true, execArgv: [], workerData: { connected, count: 1_000, port } },
    );
    // This process accepts none of them before they are all connected.
    Atomics.wait(connected, 0, 0, 30_000);
    await clients.terminate();
    assert.equal(connected[0], 1, 'some were not connected');
  });

  it('return the error envelope for unknown paths, methods and ids', async () => {
    const cases: [string, string, number, string][] = [
      ['GET', '/nothing', 404, 'NOT_FOUND'],
      ['GET', '//nothing', 404, 'NOT_FOUND'],
      ['GET', '/resources/../../../etc/passwd', 404, 'NOT_FOUND'],
      ['GET', '/Resources', 404, 'NOT_FOUND'],
      ['DELETE', '/resources', 405, 'METHOD_NOT_ALLOWED'],
      ['POST', `/resources/${unknownId}`, 405, 'METHOD_NOT_ALLOWED'],
      ['PATCH', '/resources/reprocess', 405, 'METHOD_NOT_ALLOWED'],
      ['GET', `/resources/${unknownId}`, 404, 'NOT_FOUND'],
      ['GET', `/resources/${unknownId}/runs`, 404, 'NOT_FOUND'],
      ['GET', `/resources/${unknownId}/attempts`, 404, 'NOT_FOUND'],
      ['GET', `/resources/${unknownId}/artifacts/${unknownId}`, 404, 'NOT_FOUND'],
      ['PUT', `/resources/${unknownId}/toggle`, 404, 'NOT_FOUND'],
      ['POST', `/resources/${unknownId}/reprocess`, 404, 'NOT_FOUND'],
      ['POST', `/resources/${unknownId}/cancel`, 404, 'NOT_FOUND'],
      ['DELETE', `/resources/${unknownId}`, 404, 'NOT_FOUND'],
      ['DELETE', `/pipelines/${unknownId}`, 404, 'NOT_FOUND'],
      ['DELETE', '/plugins/unknown', 404, 'NOT_FOUND'],
      ['PUT', '/plugins/unknown/toggle', 404, 'NOT_FOUND'],
      ['GET', `/plugins/${'x'.repeat(99)}😀`, 404, 'NOT_FOUND'],
    ];
    for (const id of [
      '1',
      'null',
      '%00',
      '%F0%9F%98%80',
      '%',
      "'; drop table resources; --",
      'x'.repeat(3000),
    ]) {
      cases.push(
        ['GET', `/resources/${id}`, 404, 'NOT_FOUND'],
        ['GET', `/pipelines/${id}`, 404, 'NOT_FOUND'],
      );
      cases.push(
        ['DELETE', `/resources/${id}`, 404, 'NOT_FOUND'],
        // Whatever the body is.
        ['PATCH', `/resources/${id}`, 404, 'NOT_FOUND'],
        ['PUT', `/pipelines/${id}`, 404, 'NOT_FOUND'],
        ['PUT', `/plugins/${id}/toggle`, 404, 'NOT_FOUND'],
      );
    }
    for (const [method, path, status, code] of cases) {
      const answer = await api.call(method, path);
      assert.deepEqual(
        [answer.status, answer.body.error.code],
        [status, code],
        `${method} ${path}: ${answer.text}`,
      );
      assert.equal(typeof answer.body.error.details, 'object');
      assert.ok(answer.body.error.message.isWellFormed());
      if (status === 405) assert.match(answer.headers.get('allow') ?? '', /GET|POST, OPTIONS/);
    }
  });

  it('distinguish 404, 405 and 401 in this order, for any caller', async () => {
    for (const [method, path, status] of [
      ['GET', '/nothing', 404],
      ['DELETE', '/resources', 405],
      ['GET', '/resources', 401],
      ['GET', '/resources/none', 401],
    ] as const) {
      assert.equal(
        (await api.call(method, path, undefined, { bearer: null })).status,
        status,
        `${method} ${path}`,
      );
    }
  });

  it('answer HEAD like GET without a body, and OPTIONS with the allowed methods', async () => {
    const get = await api.call('GET', '/plugins');
    const head = await api.call('HEAD', '/plugins');
    assert.deepEqual([head.status, head.text], [200, '']);
    assert.equal(head.headers.get('content-length'), get.headers.get('content-length'));
    assert.equal((await api.call('HEAD', `/resources/${unknownId}`)).status, 404);
    const options = await api.call('OPTIONS', '/plugins');
    assert.equal(options.status, 204);
    assert.match(options.headers.get('allow') ?? '', /GET.*POST/);
  });

  it('include the headers of every response', async () => {
    const { headers } = await api.call('GET', '/plugins', undefined, {
      headers: { 'x-request-id': 'mine-1' },
    });
    assert.equal(headers.get('x-request-id'), 'mine-1');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('cache-control'), 'no-store');
    const hostile = await api.call('GET', '/nothing', undefined, { headers: { 'x-request-id': 'a b"c' } });
    assert.match(hostile.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
  });

  it('reject unsupported bodies', async () => {
    const pipeline = (rest: string): string =>
      `{"name":"n","trigger_type":"t","steps":[{"plugin_id":"none"}]${rest}}`;
    const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const json = { 'content-type': 'application/json' };
    const cases: [string, string | Uint8Array | undefined, Record<string, string>, number, string][] = [
      ['no body', undefined, {}, 400, 'MALFORMED_BODY'],
      ['an empty body', '', json, 400, 'MALFORMED_BODY'],
      ['half of one', '{"name":', json, 400, 'MALFORMED_BODY'],
      ['a trailing comma', '{"name":"n",}', json, 400, 'MALFORMED_BODY'],
      ['NaN', '{"name":NaN}', json, 400, 'MALFORMED_BODY'],
      ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22]), json, 400, 'MALFORMED_BODY'],
      ['UTF-16', Buffer.from('{}', 'utf16le'), json, 400, 'MALFORMED_BODY'],
      ['null', 'null', json, 400, 'VALIDATION_FAILED'],
      ['a string', '"text"', json, 400, 'VALIDATION_FAILED'],
      ['1e400', pipeline(',"more":1e400'), json, 400, 'VALIDATION_FAILED'],
      ['100 levels', nested(100), json, 400, 'VALIDATION_FAILED'],
      ['101 levels', nested(101), json, 400, 'VALIDATION_FAILED'],
      ['500,000 levels', nested(500_000), json, 400, 'VALIDATION_FAILED'],
      ['half of 500,000 levels', '['.repeat(500_000), json, 400, 'VALIDATION_FAILED'],
      ['__proto__', pipeline(',"__proto__":{"name":"x"}'), json, 400, 'VALIDATION_FAILED'],
      ['constructor', pipeline(',"constructor":{"prototype":{}}'), json, 400, 'VALIDATION_FAILED'],
      ['more than 1 MiB', `"${'x'.repeat(1024 * 1024)}"`, json, 413, 'PAYLOAD_TOO_LARGE'],
      ['text', 'name=n', { 'content-type': 'text/plain' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
      [
        'a form',
        'name=n',
        { 'content-type': 'application/x-www-form-urlencoded' },
        415,
        'UNSUPPORTED_MEDIA_TYPE',
      ],
      [
        'a multipart form',
        '--x--',
        { 'content-type': 'multipart/form-data; boundary=x' },
        415,
        'UNSUPPORTED_MEDIA_TYPE',
      ],
      [
        'another charset',
        '{}',
        { 'content-type': 'application/json; charset=latin1' },
        415,
        'UNSUPPORTED_MEDIA_TYPE',
      ],
      ['gzip', '{}', { ...json, 'content-encoding': 'gzip' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
      [
        'what is fine but for its plugin',
        pipeline(''),
        { 'content-type': 'application/vnd.kw+json; charset="UTF-8"' },
        400,
        'UNKNOWN_PLUGIN',
      ],
      ['a BOM', `\ufeff${pipeline('')}`, json, 400, 'UNKNOWN_PLUGIN'],
    ];
    for (const [name, body, headers, status, code] of cases) {
      const answer = await api.call('POST', '/pipelines', body, { headers });
      assert.deepEqual(
        [answer.status, answer.body.error.code],
        [status, code],
        `${name}: ${answer.text.slice(0, 300)}`,
      );
    }
    assert.equal(({} as Record<string, unknown>)['name'], undefined);
    // Where a body may be left out, clients such as curl -d '' still send its media type.
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const { status } = await api.call('POST', `/resources/${unknownId}/reprocess`, '', { headers });
    assert.equal(status, 404);
    // Of a chunked body, only its end tells that it is empty. The rest of a refused one is read before the next request.
    const key = await api.key('admin');
    const long = `200000\r\n${'x'.repeat(0x200000)}\r\n`;
    for (const [chunks, type, expected] of [
      ['', '', 404],
      ['1\r\nx\r\n', '', 415],
      [long, '', 415],
      [long, 'Content-Type: application/json\r\n', 413],
    ] as const) {
      const answers = await exchange(
        api.base,
        `POST /api/v1/resources/${unknownId}/reprocess HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n${type}Transfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\nGET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
      );
      assert.deepEqual(
        answers.map((answer) => answer.status),
        [expected, 200],
      );
    }
  });

  it('give the location of an error', async () => {
    const body = { name: '', trigger_type: 5, steps: [{ plugin_id: 'x', max_attempts: 0, 'a/b~c': 1 }] };
    const { errors } = (await api.call('POST', '/pipelines', body)).body.error.details;
    const paths = errors.map((each: { path: string }) => each.path);
    assert.deepEqual(paths.sort(), ['/name', '/steps/0/a~1b~0c', '/steps/0/max_attempts', '/trigger_type']);
    for (const { message } of errors) assert.ok(message.length > 0);
  });

  it('reject unknown query parameters', async () => {
    const bad: Record<string, string> = {
      'limit=0': '/limit',
      'limit=201': '/limit',
      'limit=ten': '/limit',
      'limit=1e1': '/limit',
      'limit=': '/limit',
      'limit=5&limit=6': '/limit',
      'lmit=5': '/lmit',
      '__proto__=1': '/__proto__',
      'toString=1': '/toString',
      'is_enabled=yes': '/is_enabled',
      'status=DONE': '/status',
      'source_type=FILE': '/source_type',
      'include=steps,files': '/include/1',
      'q=%00': '/q',
      'cursor=nonsense': '/cursor',
      'cursor=': '/cursor',
    };
    for (const [query, path] of Object.entries(bad)) {
      const { status, body } = await api.call('GET', `/resources?${query}`);
      assert.deepEqual([status, body.error.code], [400, 'VALIDATION_FAILED'], query);
      assert.equal(body.error.details.errors[0].path, path, query);
    }
    for (const value of [
      '[]',
      '["x","y"]',
      '["2025-01-01T00:00:00.000Z","x"]',
      '{"a":1}',
      `["2025-01-01","${unknownId}"]`,
    ]) {
      const cursor = Buffer.from(value).toString('base64url');
      assert.equal((await api.call('GET', `/resources?cursor=${cursor}`)).status, 400, value);
    }
    assert.equal((await api.call('GET', `/resources/${unknownId}?x=1`)).status, 400);
    assert.equal((await api.call('GET', '/resources?limit=200&q=&include=')).status, 200);
  });

  it('answer requests that are not HTTP, and uploads rejected before they were read, before closing', async () => {
    const send = async (text: string): Promise<string> => {
      const socket = connect(Number(new URL(api.base).port), '127.0.0.1');
      let answer = '';
      socket.setEncoding('utf8').on('data', (part: string) => (answer += part));
      socket.write(text);
      await once(socket, 'close');
      return answer;
    };
    const length = 3 * 1024 * 1024;
    const head = `POST /api/v1/pipelines HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
    // The others wait for the response before they send the body.
    for (const text of [
      head + 'x'.repeat(length),
      head,
      head.replace('HTTP/1.1', 'HTTP/1.0').replace('Connection: close\r\n', ''),
    ])
      assert.match(await send(text), /^HTTP\/1.1 401 [^]*"UNAUTHENTICATED"/);
    for (const invalid of [
      'no HTTP at all\r\n\r\n',
      'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET /health/live HTTP/1.1\r\nHost: x\r\nhost: y\r\n\r\n',
    ])
      assert.match(await send(invalid), /^HTTP\/1.1 400 [^]*"MALFORMED_BODY"/, invalid);
    assert.match(
      await send(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`),
      /^HTTP\/1.1 431 [^]*"error"/,
    );
  });

  it('survive clients that reset the connection of a refused CONNECT', async () => {
    const socket = connect(Number(new URL(api.base).port), '127.0.0.1');
    socket.write('CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'data');
    socket.resetAndDestroy();
    await once(socket, 'close');
    assert.equal((await api.call('GET', '/resources')).status, 200);
  });

  it('accept a path or a whole URL as the target of a request, and survive others', async () => {
    const ask = async (target: string): Promise<number | undefined> =>
      (await exchange(api.base, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`))[0]?.status;
    assert.equal(await ask('http://other/health/live?x'), 200);
    assert.equal(await ask('http://other/nothing'), 404);
    for (const target of [
      'http://[/',
      'http://[::1/x',
      'http://xn--a/',
      '//a@[/#',
      '//a@[/\u00a0',
      '/x#y',
      'x:',
    ])
      assert.equal(await ask(target), 400, target);
    for (const target of ['http:', 'http://', 'http://?x']) assert.equal(await ask(target), 400, target);
    assert.equal(await ask('//a@['), 404);
    assert.equal(await ask('/health/live'), 200);
  });

  it('return DATABASE_UNAVAILABLE with Retry-After while the database is down', async () => {
    const db = connectDatabase('postgres://kw:secret@127.0.0.1:1/none', { poolSize: 1 });
    const headers = { authorization: 'Bearer kw_any' };
    const { response, text } = await askOnce({ ...api.deps, db }, '/api/v1/resources', { headers });
    assert.equal(response.status, 503);
    assert.match(text, /"code":"DATABASE_UNAVAILABLE"/);
    assert.doesNotMatch(text, /127\.0\.0\.1|ECONN|secret/);
    assert.equal(response.headers.get('retry-after'), '5');
    await db.destroy();
  });

  it('tell a statement that takes too long from a database that is down', async () => {
    const { config, db } = api.deps;
    const hasty = connectDatabase(config.databaseUrl, { poolSize: 1, statementMs: 100 });
    const headers = { authorization: 'Bearer kw_any' };
    const { response, text } = await db.transaction(async (trx) => {
      await trx.raw('lock table api_keys');
      return await askOnce({ ...api.deps, db: hasty }, '/api/v1/resources', { headers });
    });
    await hasty.destroy();
    assert.equal(response.status, 503);
    const { code, message } = JSON.parse(text).error;
    assert.equal(code, 'DATABASE_UNAVAILABLE');
    assert.match(message, /^The database did not finish the statement within its time limit\./);
  });

  it('reveal nothing about an internal error', async () => {
    const db = (() => {
      throw new Error('the secret of the house');
    }) as unknown as typeof api.deps.db;
    const headers = { authorization: 'Bearer kw_any' };
    const { response, text } = await askOnce({ ...api.deps, db }, '/api/v1/resources', { headers });
    assert.equal(response.status, 500);
    assert.deepEqual(JSON.parse(text).error, {
      code: 'INTERNAL',
      message: 'Something went wrong on our side.',
      details: {},
    });
  });
});
