import assert from 'node:assert/strict';
import { startApi, type Answer, type TestApi } from '../support/service/api.js';

const json = { 'content-type': 'application/json' };
const nested = (levels: number): string => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;

const strange: readonly string[] = [
  '{"a":"\\u0000","\\u0000":1}',
  '{"a":"\\ud800","\\udfff":"\\udc00\\ud800"}',
  '{"__proto__":{"admin":true},"constructor":{"prototype":1},"toString":null}',
  '{"a":1,"a":2,"a":{"b":[]}}',
  '{"n":[1e308,-1e-400,9007199254740993,123456789012345678901234567890,-0]}',
  `{"${'k'.repeat(4_000)}":"${'\\n'.repeat(4_000)}"}`,
  '{"":{"":""},"\u202e":"\ufeff"}',
  nested(64),
];

const refused: readonly (readonly [string, string])[] = [
  ['1e400', '{"n":1e400}'],
  ['a number below all others, deep inside', '{"n":[{"n":-1e999}]}'],
  ['a number of 400 digits', `{"n":${'1'.repeat(400)}}`],
  ['a raw NUL', '{"a":"\0"}'],
  ['an array', '[]'],
  ['an object in a string', '"{}"'],
  // What stands around an object may have four levels of its own.
  ['69 levels', nested(69)],
  ['100,000 arrays', nested(100_000)],
  ['100,000 objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
];

/** As JSON.parse reads a text, with the order of keys and with `__proto__`. */
const parsed = (text: string): string => JSON.stringify(JSON.parse(text));

describe('JSON of arbitrary structure', () => {
  let api: TestApi;

  before(async () => {
    api = await startApi();
    const plugin = { id: 'any', name: 'Any', kind: 'activity', task_queue: 'any', activity_type: 'any' };
    assert.equal((await api.call('POST', '/plugins', plugin)).status, 201);
    const pipeline = { name: 'Any', trigger_type: 'any', steps: [{ plugin_id: 'any' }] };
    assert.equal((await api.call('POST', '/pipelines', pipeline)).status, 201);
  });
  after(() => api.stop());

  afterEach('the process is alive, and no client has data that was not given to it', async () => {
    assert.equal((await api.call('GET', '//health/live')).status, 200);
    assert.deepEqual(Object.keys(Object.prototype), []);
  });

  const assertRefused = ({ status, body, text }: Answer, what: string): void => {
    assert.equal(status, 400, `${what}: ${text.slice(0, 300)}`);
    assert.match(body.error.code, /^(VALIDATION_FAILED|MALFORMED_BODY|INVALID_PLUGIN)$/, `${what}: ${text}`);
  };

  it('is stored as JSON.parse reads it, or rejected, as the config of a plugin', async () => {
    const put = (config: string): Promise<Answer> =>
      api.call('PUT', '/plugins/any/config', `{"config":${config}}`, { headers: json });
    for (const [what, config] of refused) assertRefused(await put(config), what);
    assert.deepEqual((await api.call('GET', '/plugins/any')).body.config, {});
    for (const config of strange) {
      const { status, text } = await put(config);
      assert.equal(status, 200, text.slice(0, 300));
      assert.equal(JSON.stringify((await api.call('GET', '/plugins/any')).body.config), parsed(config));
    }
  });

  it('is stored as JSON.parse reads it, or rejected, as the metadata and the content of an artifact', async () => {
    const { body: resource } = await api.upload({ type: 'any' });
    await api.advance(resource, { kind: 'BEGIN' });
    const claim = { resource_id: resource.id, run: 1, step_index: 0, attempt: 1 };
    const { url, token } = (await api.call('POST', '/internal/attempts', claim)).body.callback;
    const path = new URL(url).pathname.replace('/api/v1', '');
    const artifact = (type: string, content: string, metadata: string): string =>
      `{"type":"${type}","content_type":"json","content":${content},"metadata":${metadata}}`;
    const report = (...artifacts: readonly string[]): Promise<Answer> => {
      const text = `{"status":"SUCCESS","artifacts":[${artifacts.join()}]}`;
      return api.call('POST', path, text, { bearer: token, headers: json });
    };
    const read = async (): Promise<readonly { id: string; type: string; metadata: unknown }[]> =>
      (await api.call('GET', `/resources/${resource.id}`)).body.artifacts;

    for (const [what, value] of refused) {
      assertRefused(await report(artifact('t', '{}', value)), `${what} as metadata`);
      assertRefused(await report(artifact('t', value, '{}')), `${what} as content`);
    }
    assert.deepEqual(await read(), []);
    const taken = await report(...strange.map((each, at) => artifact(`t${at}`, each, each)));
    assert.equal(taken.status, 200, taken.text.slice(0, 300));
    const artifacts = await read();
    assert.equal(artifacts.length, strange.length);
    for (const { id, type, metadata } of artifacts) {
      const sent = parsed(strange[Number(type.slice(1))]!);
      assert.equal(JSON.stringify(metadata), sent);
      const { body } = await api.call('GET', `/resources/${resource.id}/artifacts/${id}`);
      assert.equal(JSON.stringify(body.content), sent);
    }
  });
});
