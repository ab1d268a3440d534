import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { startApi, type Answer, type CallOptions, type TestApi } from '../support/service/api.js';

const kib = 1024;
const json = { 'content-type': 'application/json' };

/** A JSON object of so many levels, itself counted. */
const nested = (levels: number): string => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
/** A JSON string, quotes counted, of so many bytes. */
const quoted = (bytes: number): string => `"${'x'.repeat(bytes - 2)}"`;

describe('limits', () => {
  let api: TestApi;
  let made = 0;

  before(async () => {
    api = await startApi({ env: { KW_MAX_UPLOAD_BYTES: '10000', KW_MAX_ARTIFACT_BYTES: '20000' } });
    const worker = { name: 'W', kind: 'activity', task_queue: 'q', activity_type: 'a' };
    await api.call('PUT', '/plugins/worker', worker);
    const steps = [{ plugin_id: 'worker' }];
    await api.call('POST', '/pipelines', { name: 'P', trigger_type: 'limited', steps });
  });
  after(() => api.stop());

  /** An open attempt, whose reports are looked at and, being PROGRESS or refused, leave it open. */
  const openAttempt = async (): Promise<{ url: string; bearer: string }> => {
    const { body: resource } = await api.upload({ type: 'limited' });
    await api.advance(resource, { kind: 'BEGIN' });
    const claim = { resource_id: resource.id, run: 1, step_index: 0, attempt: 1 };
    const { body } = await api.call('POST', '/internal/attempts', claim);
    return { url: new URL(body.callback.url).pathname.slice('/api/v1'.length), bearer: body.callback.token };
  };
  const call = async (method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer> =>
    await api.call(method, path, body, options);
  const register = (fields: Record<string, string>): Promise<Answer> => api.upload(fields);
  const pipeline = (fields: object): Promise<Answer> =>
    call('POST', '/pipelines', {
      name: 'n',
      trigger_type: `type ${(made += 1)}`,
      steps: [{ plugin_id: 'worker' }],
      ...fields,
    });
  const step = (fields: object): Promise<Answer> => pipeline({ steps: [{ plugin_id: 'worker', ...fields }] });
  const config = (text: string): Promise<Answer> =>
    call('PUT', '/plugins/worker/config', `{"config":${text}}`, { headers: json });
  const report = async (text: string): Promise<Answer> => {
    const { url, bearer } = await openAttempt();
    return await call('POST', url, text, { bearer, headers: json });
  };
  const success = (artifact: string): Promise<Answer> =>
    report(`{"status":"SUCCESS","artifact":{"type":"t","content_type":"json",${artifact}}}`);
  const sent = async (length: number): Promise<Answer> => {
    const { url, bearer } = await openAttempt();
    const body = Buffer.alloc(length, 'x');
    return await call('PUT', `${url}/uploads?type=t&content_type=text`, body, { bearer });
  };

  interface Bound {
    readonly of: string;
    /** Does it with so much of it. */
    with(amount: number): Promise<Answer>;
    /** The most that is taken, and what one more is answered. */
    readonly most: number;
    readonly past: number;
  }
  const bounds: readonly Bound[] = [
    // An emoji is one character, two of JavaScript's and four bytes.
    { of: 'code points of a name', most: 500, past: 400, with: (n) => register({ name: '😀'.repeat(n) }) },
    { of: 'code points of a type', most: 100, past: 400, with: (n) => register({ type: '😀'.repeat(n) }) },
    { of: 'fields beside a file', most: 20, past: 400, with: (n) => fields(n) },
    { of: 'bytes of a file', most: 10_000, past: 413, with: (n) => api.upload({}, 'x'.repeat(n)) },
    { of: 'a page of a list', most: 200, past: 400, with: (n) => call('GET', `/resources?limit=${n}`) },
    {
      of: 'characters that are searched for',
      most: 1000,
      past: 400,
      with: (n) => call('GET', `/resources?q=${'%F0%9F%98%80'.repeat(n)}`),
    },
    {
      of: 'characters of a trigger type',
      most: 100,
      past: 400,
      with: (n) => pipeline({ trigger_type: 'x'.repeat(n) }),
    },
    {
      of: 'steps',
      most: 50,
      past: 400,
      with: (n) => pipeline({ steps: Array(n).fill({ plugin_id: 'worker' }) }),
    },
    { of: 'attempts', most: 100, past: 400, with: (n) => step({ max_attempts: n }) },
    { of: 'seconds of a pause', most: 86_400, past: 400, with: (n) => step({ backoff_seconds: n }) },
    { of: 'seconds of a step', most: 604_800, past: 400, with: (n) => step({ timeout_seconds: n }) },
    { of: 'levels of a config', most: 64, past: 400, with: (n) => config(nested(n)) },
    { of: 'bytes of a config', most: 256 * kib, past: 400, with: (n) => config(`{"a":${quoted(n - 6)}}`) },
    {
      of: 'levels of a content',
      most: 64,
      past: 400,
      with: async (n) => {
        const { url, bearer } = await openAttempt();
        return await call('PUT', `${url}/uploads?type=t&content_type=json`, nested(n), { bearer });
      },
    },
    {
      of: 'levels of a content in a report',
      most: 64,
      past: 400,
      with: (n) => success(`"content":${nested(n)}`),
    },
    {
      of: 'levels of metadata',
      most: 64,
      past: 400,
      with: (n) => success(`"content":{},"metadata":${nested(n)}`),
    },
    {
      of: 'bytes of a content in a report',
      most: kib * kib,
      past: 413,
      with: (n) => success(`"content":{"a":${quoted(n - 6)}}`),
    },
    {
      of: 'bytes of metadata',
      most: 16 * kib,
      past: 400,
      with: (n) => success(`"content":{},"metadata":{"a":${quoted(n - 6)}}`),
    },
    {
      of: 'bytes of a failure’s details',
      most: 64 * kib,
      past: 400,
      with: (n) => report(`{"status":"FAILURE","error":{"details":{"a":${quoted(n - 6)}}}}`),
    },
    {
      of: 'characters of an artifact’s type',
      most: 100,
      past: 400,
      with: (n) =>
        report(
          `{"status":"SUCCESS","artifact":{"type":"${'t'.repeat(n)}","content_type":"text","content":""}}`,
        ),
    },
    {
      of: 'artifacts of a report',
      most: 100,
      past: 400,
      with: (n) => {
        const artifacts = Array.from({ length: n }, (_, at) => ({
          type: `t${at}`,
          content_type: 'text',
          content: '',
        }));
        return report(JSON.stringify({ status: 'SUCCESS', artifacts }));
      },
    },
    {
      of: 'bytes of a report',
      most: 4 * kib * kib,
      past: 413,
      with: (n) => report('{"status":"PROGRESS","progress":{"message":"m"}}'.padEnd(n)),
    },
    { of: 'bytes of a content that is sent ahead', most: 20_000, past: 413, with: (n) => sent(n) },
    {
      of: 'bytes of a body',
      most: kib * kib,
      past: 413,
      with: (n) => call('PUT', '/plugins/worker/config', '{"config":{}}'.padEnd(n), { headers: json }),
    },
  ];

  /** An upload with so many fields, the file not counted; unknown ones are refused as such. */
  async function fields(count: number): Promise<Answer> {
    const form: Record<string, string> = {};
    for (let at = 0; at < count - 2; at += 1) form[`f${at}`] = 'x';
    const answer = await api.upload(form);
    const known = /\/f\d+/.test(JSON.stringify(answer.body.error?.details ?? {}));
    return known ? { ...answer, status: 200 } : answer;
  }

  for (const bound of bounds) {
    it(`${bound.of}: ${bound.most}`, async () => {
      const taken = await bound.with(bound.most);
      assert.ok(taken.status < 300, `${taken.status} ${taken.text.slice(0, 500)}`);
      const refused = await bound.with(bound.most + 1);
      assert.equal(refused.status, bound.past, refused.text.slice(0, 500));
      const code = bound.past === 413 ? 'PAYLOAD_TOO_LARGE' : 'VALIDATION_FAILED';
      assert.equal(refused.body.error.code, code);
    });
  }

  /** Sends text as it is, and resolves with the whole answer once the connection has been closed. */
  const exchange = async (base: string, ...parts: readonly string[]): Promise<string> => {
    const socket = connect(Number(new URL(base).port), '127.0.0.1');
    const answer = readAll(socket);
    for (const part of parts) socket.write(part);
    return await answer;
  };

  describe('before the body', () => {
    const head = (extra: string, path = '/health/live'): string =>
      `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${extra}\r\n`;
    const cases: readonly [string, (amount: number) => string, number, number][] = [
      ['header fields', (n) => head('X: y\r\n'.repeat(n - 2)), 100, 431],
      ['characters of a URL', (n) => head('', '/health/live?'.padEnd(n, 'x')), 14 * kib, 414],
    ];
    for (const [of, write, most, past] of cases) {
      it(`${of}: ${most}`, async () => {
        assert.match(await exchange(api.base, write(most)), /^HTTP\/1.1 200 /);
        const refused = await exchange(api.base, write(most + 1));
        assert.match(refused, new RegExp(`^HTTP/1.1 ${past} [^]*"error":{"code":"MALFORMED_BODY"`));
      });
    }

    it('total size: 16 KiB', async () => {
      const write = (bytes: number): string => head(`X: ${'y'.repeat(bytes)}\r\n`);
      assert.match(await exchange(api.base, write(15 * kib)), /^HTTP\/1.1 200 /);
      assert.match(await exchange(api.base, write(16 * kib)), /^HTTP\/1.1 431 [^]*"error"/);
    });
  });
});

/** Everything that comes until the connection has been closed. */
async function readAll(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => (text += part));
  // A connection that is cut while something is still written to it ends with an error.
  socket.on('error', () => undefined);
  await once(socket, 'close');
  return text;
}
