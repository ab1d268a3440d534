import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import fc from 'fast-check';
import { embed } from '../../plugins/embed/index.js';
import { PluginFailure } from '@knowledge-warehouse/plugin';
import { createFetch } from '../../runtime/outgoing/index.js';
import { eventually } from '../support/eventually.js';
import { runPlugin, type PluginOutcome, type PluginRun } from '@knowledge-warehouse/plugin/testing';
import { startRemoteSite, type RemoteSite } from '../support/network/remote-site.js';

interface EmbeddingRequest {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: { readonly model: string; readonly input: readonly string[]; readonly dimensions?: number };
}

type Answer = (request: EmbeddingRequest, response: ServerResponse) => void;

/** A vector that tells which text it was made of. */
const vectorOf = (text: string): number[] => [text.length, Number(text.replace(/\D/g, '') || -1), 0.5];

const rowsOf = (texts: readonly string[]): { index: number; embedding: number[] }[] =>
  texts.map((text, index) => ({ index, embedding: vectorOf(text) }));

const embedded: Answer = ({ body }, response) => {
  response.end(JSON.stringify({ object: 'list', data: rowsOf(body.input).reverse() }));
};

const failing =
  (status: number, headers: Record<string, string> = {}, body = ''): Answer =>
  (_, response) =>
    response.writeHead(status, headers).end(body);

describe('embed', () => {
  let endpoint: RemoteSite;
  let requests: EmbeddingRequest[];
  /** The first answers, one for each request; all that follow are `embedded`. */
  let answers: Answer[];

  before(async () => {
    endpoint = await startRemoteSite();
    const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
      const request: EmbeddingRequest = {
        path: incoming.url ?? '',
        authorization: incoming.headers.authorization,
        body: (await json(incoming)) as EmbeddingRequest['body'],
      };
      requests.push(request);
      (answers.shift() ?? embedded)(request, response);
    };
    endpoint.handle = (request, response) => void answer(request, response);
  });
  beforeEach(() => {
    requests = [];
    answers = [];
  });
  after(() => endpoint.stop());

  const textsOf = (count: number): string[] => Array.from({ length: count }, (_, index) => `chunk ${index}`);

  const run = (
    texts: readonly string[],
    config: object = {},
    more: Partial<PluginRun> = {},
  ): Promise<PluginOutcome> =>
    runPlugin(embed, {
      inputs: { chunks: { chunks: texts.map((text, index) => ({ index, text })) } },
      config: { base_url: `${endpoint.url}/v1`, model: 'small', ...config },
      ...more,
    });

  const failure = (promise: Promise<unknown>): Promise<PluginFailure> =>
    promise.then(
      () => assert.fail('it did not fail'),
      (error: unknown) => {
        assert(error instanceof PluginFailure, String(error));
        return error;
      },
    );

  it('produces row i for chunk i, whatever the number of chunks and the size of the batches', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(40), fc.integer({ min: 1, max: 12 }), async (count, batch_size) => {
        requests = [];
        const texts = textsOf(count);
        const { artifacts, progress } = await run(texts, { batch_size });
        const embeddings = artifacts.get('embeddings')!;
        assert.deepEqual(embeddings.content, texts.map(vectorOf));
        assert.deepEqual(embeddings.metadata, { model: 'small', dimensions: count === 0 ? 0 : 3, count });
        assert.equal(requests.length, Math.ceil(count / batch_size));
        assert.deepEqual(requests.flatMap(({ body }) => body.input).sort(), [...texts].sort());
        assert.equal(progress.length, requests.length);
        if (count > 0) assert.deepEqual(progress.at(-1), [1, `${count} of ${count} chunks`]);
      }),
      { numRuns: 40 },
    );
  });

  it('requests the model from the config, with or without a trailing slash in the URL', async () => {
    await run(['one'], { base_url: `${endpoint.url}/v1/`, api_key: 'sk-1', dimensions: 3 });
    await run(['one']);
    assert.deepEqual(requests, [
      {
        path: '/v1/embeddings',
        authorization: 'Bearer sk-1',
        body: { model: 'small', input: ['one'], encoding_format: 'float', dimensions: 3 },
      },
      {
        path: '/v1/embeddings',
        authorization: undefined,
        body: { model: 'small', input: ['one'], encoding_format: 'float' },
      },
    ]);
  });

  it('waits as long as the endpoint asks for, then continues', async () => {
    const until = Math.ceil(Date.now() / 1000) + 2;
    const date = new Date(until * 1000).toUTCString();
    answers = [failing(429, { 'retry-after': '1' }), failing(503, { 'retry-after': date }), failing(500)];
    const times: number[] = [];
    const waiting = run(
      textsOf(1),
      {},
      { fetch: (...request) => (times.push(Date.now()), fetch(...request)) },
    );
    assert.equal((await waiting).artifacts.get('embeddings')?.content.length, 1);
    const [first, second, third, ...others] = times as [number, number, number, ...number[]];
    assert(second - first >= 990, 'seconds');
    assert(third >= until * 1000 - 10, 'a date');
    assert.equal(others.length, 1);
  });

  it('fails with a retry if the wait would outlast the attempt', async () => {
    answers = [failing(429, { 'retry-after': '600' }, '{"error": {"message": "slow down"}}')];
    const deadline = new Date(Date.now() + 60_000);
    const { code, message, options } = await failure(run(textsOf(1), {}, { deadline }));
    assert.equal(code, 'EMBEDDING_UNAVAILABLE');
    assert.deepEqual(options, { retryable: true, retryAfterSeconds: 600 });
    assert.match(message, /429: slow down/);
  });

  it('waits as usual if the endpoint asks for no wait, or for one that is over', async () => {
    for (const retryAfter of ['0', new Date(0).toUTCString()]) {
      requests = [];
      answers = [failing(503, { 'retry-after': retryAfter })];
      // Too soon for the usual wait.
      const deadline = new Date(Date.now() + 250);
      assert.equal((await failure(run(textsOf(1), {}, { deadline }))).code, 'EMBEDDING_UNAVAILABLE');
      assert.equal(requests.length, 1);
    }
  });

  it('fails with a retry if the endpoint does not respond or takes too long', async () => {
    const gone = await startRemoteSite();
    await gone.stop();
    const deadline = new Date(Date.now() + 1_000);
    const away = await failure(run(textsOf(1), { base_url: `${gone.url}/v1` }, { deadline }));
    assert.deepEqual([away.code, away.options.retryable], ['EMBEDDING_UNAVAILABLE', true]);
    assert.match(away.message, new RegExp(`No answer from ${gone.host} \\(ECONNREFUSED\\)`));

    answers = Array<Answer>(4).fill(() => undefined);
    const late = await failure(run(textsOf(1), { timeout_seconds: 0.05 }, { deadline }));
    assert.deepEqual([late.code, late.options.retryable], ['EMBEDDING_UNAVAILABLE', true]);
  });

  it('reports why the endpoint rejected it, and is not retried', async () => {
    answers = [failing(404, {}, '{"error": {"message": "model \\"small\\" not found"}}')];
    const { code, message, options } = await failure(run(textsOf(1)));
    assert.deepEqual([code, options.retryable], ['EMBEDDING_REJECTED', false]);
    assert.match(message, /404: model "small" not found/);
    assert.equal(requests.length, 1);
  });

  it('never shows the key, even if the endpoint quotes it', async () => {
    const api_key = 'sk-very-secret';
    const quoted = JSON.stringify({ error: { message: `Incorrect API key provided: ${api_key}` } });
    for (const status of [400, 401, 403]) {
      answers = [failing(status, {}, quoted)];
      const error = await failure(run(textsOf(1), { api_key }));
      assert.deepEqual([error.code, error.options.retryable], ['EMBEDDING_REJECTED', false]);
      assert.doesNotMatch(`${error.stack ?? ''} ${JSON.stringify(error.options)}`, /very-secret/);
    }
    const wrong = await failure(run(textsOf(1), { api_key: `${api_key}\n` }));
    assert.deepEqual([wrong.code, wrong.message.includes('very-secret')], ['INVALID_CONFIG', false]);
  });

  it('rejects a response that does not match the texts', async () => {
    const answering =
      (data: unknown): Answer =>
      (_, response) =>
        response.end(JSON.stringify({ data }));
    const misfits: [string, unknown][] = [
      ['too few', rowsOf(['a'])],
      ['one twice', [...rowsOf(['a']), ...rowsOf(['b'])]],
      [
        'an index beyond',
        [
          { index: 1, embedding: [1] },
          { index: 2, embedding: [1] },
        ],
      ],
      [
        'no number',
        [
          { index: 0, embedding: [1, null] },
          { index: 1, embedding: [1, 2] },
        ],
      ],
      [
        'two lengths',
        [
          { index: 0, embedding: [1] },
          { index: 1, embedding: [1, 2] },
        ],
      ],
      ...[
        [0, 0],
        [1e-60, 1e-60],
        [1e-30, 0],
        [3e38, 3e38],
        [1e300, 1],
      ].map((embedding): [string, unknown] => [
        `not comparable: ${embedding.join()}`,
        [
          { index: 0, embedding: [1, 2] },
          { index: 1, embedding },
        ],
      ]),
      ['nothing', undefined],
    ];
    for (const [kind, data] of misfits) {
      answers = [answering(data)];
      const error = await failure(run(['a', 'b']));
      assert.deepEqual([error.code, error.options.retryable], ['EMBEDDING_INVALID', false], kind);
    }
    answers = [(_, response) => response.end('<html>')];
    assert.equal((await failure(run(['a']))).code, 'EMBEDDING_INVALID');
    const other = await failure(run(['a'], { dimensions: 4 }));
    assert.match(other.message, /a vector of 3 numbers instead of 4/);
  });

  it('asks for a smaller batch_size if a response is too large, and is not retried', async () => {
    const large = Buffer.alloc(65 * 1024 * 1024, ' ');
    answers = [(_, response) => response.end(large)];
    const { code, message, options } = await failure(run(textsOf(1)));
    assert.deepEqual([code, options.retryable], ['EMBEDDING_TOO_LARGE', false]);
    assert.match(message, /batch_size/);
    assert.equal(requests.length, 1);
  });

  it('rejects a URL that cannot be called', async () => {
    for (const fetched of [fetch, createFetch({ allow: ['127.0.0.1'] })]) {
      for (const [base_url, why] of [
        ['http://127.0.0.1:99999/v1', /base_url .* valid URL/],
        ['http://[/v1', /base_url .* valid URL/],
        ['http://127.0.0.1:6000/v1', /base_url .* port.* 6000/],
      ] as const) {
        const { code, message, options } = await failure(run(['a'], { base_url }, { fetch: fetched }));
        assert.deepEqual([code, options.retryable], ['INVALID_CONFIG', false], base_url);
        assert.match(message, why);
        assert.deepEqual(options.details, { key: 'base_url' });
      }
    }
  });

  it('accepts vectors from servers that omit an index of 0', async () => {
    answers = [
      (_, response) =>
        response.end(JSON.stringify({ data: [{ embedding: [1] }, { index: 1, embedding: [2] }] })),
    ];
    assert.deepEqual((await run(['a', 'b'])).artifacts.get('embeddings')?.content, [[1], [2]]);
  });

  it('aborts its requests at once when it is told to stop', async () => {
    let closed = 0;
    const silent: Answer = (_, response) => response.on('close', () => closed++);
    answers = [silent, silent];
    const controller = new AbortController();
    const running = run(textsOf(3), { batch_size: 1 }, { signal: controller.signal });
    const reason = new Error('cancelled');
    const ended = assert.rejects(running, reason);
    await eventually(() => requests.length === 2);
    controller.abort(reason);
    await ended;
    await eventually(() => closed === 2);
    assert.equal(requests.length, 2);
  });

  it('does not retry a host that it is not allowed to reach', async () => {
    const refused = Object.assign(new Error('refused'), { code: 'URL_NOT_ALLOWED' });
    const { code, options } = await failure(run(['a'], {}, { fetch: () => Promise.reject(refused) }));
    assert.deepEqual([code, options.retryable], ['URL_NOT_ALLOWED', false]);
  });
});
