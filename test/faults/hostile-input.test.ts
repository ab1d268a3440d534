import assert from 'node:assert/strict';
import { startApi, type TestApi } from '../support/service/api.js';
import { exchange, type RawAnswer } from '../support/network/raw-http.js';

const json = { 'Content-Type': 'application/json' };
const boundary = 'the-boundary';
const multipart = { 'Content-Type': `multipart/form-data; boundary=${boundary}` };

const field = (name: string, value: string): string =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const file = (fileName: string, content = 'hello'): string =>
  `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${fileName}"\r\n` +
  `Content-Type: text/plain\r\n\r\n${content}\r\n`;
const form = (...parts: readonly string[]): string => `${parts.join('')}--${boundary}--\r\n`;
const described = field('name', 'n') + field('type', 't');

describe('hostile input', () => {
  let api: TestApi;
  let key: string;

  before(async () => {
    api = await startApi();
    key = await api.key('admin');
    const plugin = { id: 'any', name: 'Any', kind: 'activity', task_queue: 'any', activity_type: 'any' };
    assert.equal((await api.call('POST', '/plugins', plugin)).status, 201);
  });
  after(() => api.stop());

  afterEach('the process is alive, and shows nothing that was not meant for the client', async () => {
    assert.equal((await api.call('GET', '//health/live')).status, 200);
    assert.deepEqual(Object.keys(Object.prototype), []);
  });

  /** A request as bytes; the connection ends with its answer. */
  const request = (
    line: string,
    headers: Readonly<Record<string, string>> = {},
    body: string | Buffer = '',
  ): Buffer => {
    const all = {
      Host: 'x',
      Authorization: `Bearer ${key}`,
      Connection: 'close',
      ...(body.length === 0 ? {} : { 'Content-Length': `${Buffer.byteLength(body)}` }),
      ...headers,
    };
    const head = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
    return Buffer.concat([
      Buffer.from(`${line}\r\n${head.join('\r\n')}\r\n\r\n`, 'latin1'),
      Buffer.from(body as string),
    ]);
  };
  const send = async (...args: Parameters<typeof request>): Promise<RawAnswer> => {
    const answers = await exchange(api.base, request(...args));
    assert.equal(answers.length, 1);
    return answers[0]!;
  };
  /** What every refusal is: 4xx, and the envelope with a code that fits. */
  const assertRefused = ({ status, body }: RawAnswer, what: string, statuses?: readonly number[]): void => {
    assert.ok(status >= 400 && status < 500, `${what}: ${status} ${body.slice(0, 300)}`);
    if (statuses !== undefined)
      assert.ok(statuses.includes(status), `${what}: ${status} ${body.slice(0, 300)}`);
    assert.notEqual(body, '', `${what}: ${status} without a body`);
    const { error } = JSON.parse(body);
    assert.match(error.code, /^[A-Z_]+$/, what);
    assert.deepEqual([typeof error.message, typeof error.details], ['string', 'object'], what);
  };

  it('JSON with fixed fields is rejected', async () => {
    const pipeline = (name: string, rest = ''): string =>
      `{"name":${name},"trigger_type":"t","steps":[{"plugin_id":"any"}]${rest}}`;
    const cases: readonly (readonly [string, string | Buffer, Readonly<Record<string, string>>])[] = [
      ['100,000 arrays', '['.repeat(100_000) + ']'.repeat(100_000), json],
      ['100,000 objects', '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000), json],
      ['100,000 arrays in a field', pipeline('['.repeat(100_000) + ']'.repeat(100_000)), json],
      ['NUL in a name', pipeline('"a\\u0000b"'), json],
      ['a raw NUL', pipeline('"a\0b"'), json],
      ['the first half of a pair', pipeline('"\\ud800"'), json],
      ['the second half of a pair', pipeline('"\\udc00"'), json],
      ['__proto__', pipeline('"n"', ',"__proto__":{"admin":true}'), json],
      ['constructor', pipeline('"n"', ',"constructor":{"prototype":{"admin":true}}'), json],
      ['1e400', pipeline('"n"', ',"more":1e400'), json],
      ['1e400 for a name', pipeline('1e400'), json],
      ['a number of 5,000 digits', pipeline('9'.repeat(5_000)), json],
      ['the second of two names', pipeline('"n"', ',"name":7'), json],
      ['spaces', ' '.repeat(100_000), json],
      ['two values', '{} {}', json],
      ['UTF-16 with its mark', Buffer.from('\ufeff{}', 'utf16le'), json],
      ['an overlong NUL', Buffer.from([0x22, 0xc0, 0x80, 0x22]), json],
      ['Latin-1', pipeline('"n"'), { 'Content-Type': 'application/json; charset=iso-8859-1' }],
      ['an unknown charset', pipeline('"n"'), { 'Content-Type': 'application/json; charset="\\"' }],
      ['gzip that is none', pipeline('"n"'), { ...json, 'Content-Encoding': 'gzip' }],
      ['many codings', pipeline('"n"'), { ...json, 'Content-Encoding': 'br, gzip, x' }],
      ['no media type', pipeline('"n"'), { 'Content-Type': '' }],
      ['half a media type', pipeline('"n"'), { 'Content-Type': 'application/' }],
    ];
    for (const [what, body, headers] of cases) {
      assertRefused(await send('POST /api/v1/pipelines HTTP/1.1', headers, body), what, [400, 413, 415]);
    }
    assert.deepEqual((await api.call('GET', '/pipelines')).body.items, []);
  });

  it('forms are rejected, and leave no file', async () => {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n`;
    const cases: readonly (readonly [string, string | Buffer, Readonly<Record<string, string>>])[] = [
      ['no boundary', form(described, file('f')), { 'Content-Type': 'multipart/form-data' }],
      ['an empty boundary', form(described), { 'Content-Type': 'multipart/form-data; boundary=' }],
      ['another boundary', form(described), { 'Content-Type': 'multipart/form-data; boundary=other' }],
      [
        'a boundary of 10,000',
        form(described),
        { 'Content-Type': `multipart/form-data; boundary=${'b'.repeat(10_000)}` },
      ],
      ['a header that never ends', `${head}X: ${'x'.repeat(2_000_000)}`, multipart],
      ['100,000 headers', `${head}${'X: y\r\n'.repeat(100_000)}\r\nx\r\n--${boundary}--\r\n`, multipart],
      ['10,000 fields', form(field('more', 'x').repeat(10_000), described, file('f')), multipart],
      ['a field of 2 MiB', form(field('name', 'x'.repeat(2 * 1024 ** 2)), file('f')), multipart],
      ['a name of 100,000', form(field('n'.repeat(100_000), 'x'), described, file('f')), multipart],
      ['two files', form(described, file('f'), file('g')), multipart],
      [
        'a form in a form',
        form(
          described,
          `--${boundary}\r\nContent-Disposition: form-data; name="file"\r\nContent-Type: multipart/mixed; boundary=in\r\n\r\n--in\r\nContent-Disposition: file; filename="f"\r\n\r\nx\r\n--in--\r\n`,
        ),
        multipart,
      ],
      ['nested fields', form(field('name[a][b]', 'x'), described, file('f')), multipart],
      ['__proto__', form(field('__proto__', 'x'), described, file('f')), multipart],
      ['a source that is no JSON', form(described, field('source', '{"kind":'), file('f')), multipart],
      [
        'a source of another kind',
        form(described, field('source', '{"kind":"URL","url":"file:///"}'), file('f')),
        multipart,
      ],
      ['a name with NUL', form(field('name', 'a\0b'), field('type', 't'), file('f')), multipart],
      ['a type of spaces', form(field('name', 'n'), field('type', '   '), file('f')), multipart],
      ['a name twice', form(field('name', 'm'), described, file('f')), multipart],
      ['no end', described + file('f') + '--the-bound', multipart],
      ['nothing', '--', multipart],
      ['an empty file', form(described, file('f', '')), multipart],
      ['bytes', Buffer.from(Array.from({ length: 5_000 }, (_, index) => (index * 37) % 256)), multipart],
      ['gzip', form(described, file('f')), { ...multipart, 'Content-Encoding': 'gzip' }],
    ];
    for (const [what, body, headers] of cases) {
      assertRefused(await send('POST /api/v1/resources HTTP/1.1', headers, body), what, [400, 413, 415]);
    }
    assert.deepEqual((await api.call('GET', '/resources')).body.items, []);
    for await (const { key: left } of api.deps.objectStore.list('resources/')) assert.fail(`${left} is left`);
  });

  it('file names are treated only as names', async () => {
    for (const name of [
      '../../../etc/passwd',
      '..\\\\..\\\\x',
      '/',
      'a\0b',
      '\u202egnp.exe',
      '.',
      'x'.repeat(5_000),
      '%00%2e%2e',
    ]) {
      const answer = await send('POST /api/v1/resources HTTP/1.1', multipart, form(described, file(name)));
      if (answer.status === 201) {
        const { id } = JSON.parse(answer.body);
        const keys: string[] = [];
        for await (const stored of api.deps.objectStore.list(`resources/${id}/`)) keys.push(stored.key);
        assert.equal(keys.length, 1);
        assert.match(keys[0]!, /^resources\/[0-9a-f-]{36}\/source\/[0-9a-f-]{36}$/);
        assert.doesNotMatch(answer.body, /etc\/passwd/);
      } else assertRefused(answer, JSON.stringify(name.slice(0, 40)), [400]);
    }
  });

  it('malformed HTTP requests are rejected', async () => {
    const get = 'GET /api/v1/plugins HTTP/1.1';
    const cases: readonly (readonly [string, string | Buffer])[] = [
      ['a query of 1 MiB', request(`GET /api/v1/resources?q=${'x'.repeat(1024 ** 2)} HTTP/1.1`)],
      ['a query of 12 KiB', request(`GET /api/v1/resources?q=${'%41'.repeat(4_000)} HTTP/1.1`)],
      ['2,000 parameters', request(`GET /api/v1/resources?${'a=1&'.repeat(2_000)} HTTP/1.1`)],
      ['a path that climbs', request('GET /api/v1/../../../../etc/passwd HTTP/1.1')],
      ['an escaped path that climbs', request('GET /api/v1/%2e%2e%2f%2e%2e%2fetc%2fpasswd HTTP/1.1')],
      ['a path with NUL', request('GET /api/v1/resources/%00 HTTP/1.1')],
      ['a header of 100 KiB', request(get, { 'X-Long': 'x'.repeat(100 * 1024) })],
      [
        '5,000 headers',
        request(get, Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`X-${at}`, 'y']))),
      ],
      ['a key of 10,000', request(get, { Authorization: `Bearer ${'k'.repeat(10_000)}` })],
      ['a key with strange bytes', request(get, { Authorization: 'Bearer kw_\xff\xfe' })],
      ['an unknown scheme', request(get, { Authorization: 'Basic Og==' })],
      [
        'an Idempotency-Key with strange bytes',
        request('POST /api/v1/pipelines HTTP/1.1', { ...json, 'Idempotency-Key': '\xff' }, '{}'),
      ],
      ['a cursor of bytes', request('GET /api/v1/resources?cursor=%FF%FE%00 HTTP/1.1')],
      ['an unknown method', request('STEAL /api/v1/plugins HTTP/1.1')],
      ['TRACE', request('TRACE /api/v1/plugins HTTP/1.1')],
      ['no Host', `GET /api/v1/plugins HTTP/1.1\r\nConnection: close\r\n\r\n`],
      ['an expectation', request(get, { Expect: 'everything' })],
      [
        'two lengths',
        request(
          'POST /api/v1/pipelines HTTP/1.1',
          { ...json, 'Content-Length': '2\r\nContent-Length: 3' },
          '{}',
        ),
      ],
      [
        'a length below zero',
        request('POST /api/v1/pipelines HTTP/1.1', { ...json, 'Content-Length': '-1' }, '{}'),
      ],
      [
        'a length and chunks',
        request('POST /api/v1/pipelines HTTP/1.1', { ...json, 'Transfer-Encoding': 'chunked' }, '{}'),
      ],
      [
        'chunks that are none',
        request('POST /api/v1/pipelines HTTP/1.1', {
          ...json,
          'Transfer-Encoding': 'chunked',
          'Content-Length': '',
        })
          .toString('latin1')
          .replace('Content-Length: \r\n', '') + 'zz\r\n{}\r\n0\r\n\r\n',
      ],
      [
        'an upgrade',
        request('GET /api/v1/nothing HTTP/1.1', { Connection: 'close, Upgrade', Upgrade: 'h2c' }),
      ],
      ['a tunnel', 'GET /api/v1/nothing HTTP/0.9\r\n\r\n'],
      ['TLS', Buffer.from('16030100a5010000a10303', 'hex')],
      ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
      ['bare line feeds', `GET /api/v1/nothing HTTP/1.1\nHost: x\nConnection: close\n\n`],
    ];
    for (const [what, bytes] of cases) {
      const answers = await exchange(api.base, bytes).catch((error: unknown) => {
        throw new Error(what, { cause: error });
      });
      assert.ok(answers.length > 0, what);
      for (const answer of answers) assertRefused(answer, what);
    }
  });

  it('HTTP/1.0 and absolute URLs are served like any other', async () => {
    assert.equal((await send('GET /api/v1/plugins HTTP/1.0')).status, 200);
    const full = await send('GET http://elsewhere.example/api/v1/plugins HTTP/1.1');
    assert.equal(full.status, 200);
    assert.doesNotMatch(full.body + full.head, /elsewhere/);
    assertRefused(await send('GET http://169.254.169.254/latest/meta-data HTTP/1.1'), 'no proxy', [404]);
  });

  it('data after a request on its connection is not treated as part of it', async () => {
    const first = request('GET /api/v1/plugins HTTP/1.1', { Connection: 'keep-alive' });
    const answers = await exchange(api.base, Buffer.concat([first, Buffer.from('\0\0garbage\r\n\r\n')]));
    const last = answers.at(-1)!;
    assert.ok(answers.length <= 2);
    assertRefused(last, 'garbage', [400]);
    const inBody = request('POST /api/v1/pipelines HTTP/1.1', { ...json, Connection: 'keep-alive' }, '{}');
    const both = await exchange(api.base, Buffer.concat([inBody, request('GET /api/v1/plugins HTTP/1.1')]));
    assert.deepEqual(
      both.map(({ status }) => status),
      [400, 200],
    );
  });
});
