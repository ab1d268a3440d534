import assert from 'node:assert/strict';
import { createConfigChecks } from '../../api/config-schema/index.js';
import { hideWriteOnly } from '../../api/config-schema/hide-write-only.js';
import { RawJson } from '../../core/json/raw-json.js';
import { startApi, type Answer, type TestApi } from '../support/service/api.js';

const activity = { name: 'A', kind: 'activity', task_queue: 'q', activity_type: 'a' } as const;

describe("a plugin's config", () => {
  let api: TestApi;
  let number = 0;

  before(async () => {
    api = await startApi();
  });
  after(() => api.stop());

  const plugin = async (more: object = {}): Promise<string> => {
    const id = `plugin-${(number += 1)}`;
    const { status, text } = await api.call('PUT', `/plugins/${id}`, { ...activity, ...more });
    assert.equal(status, 201, text);
    return id;
  };
  const configure = async (id: string, body: unknown): Promise<Answer> =>
    await api.call('PUT', `/plugins/${id}/config`, body);

  it('is replaced as a whole', async () => {
    const id = await plugin({ config: { a: 1, b: { c: 2 } } });
    const answer = await configure(id, { config: { b: { d: 3 } } });
    assert.deepEqual(
      [answer.status, answer.body.config, answer.body.config_warnings],
      [200, { b: { d: 3 } }, []],
    );
    assert.deepEqual((await api.call('GET', `/plugins/${id}`)).body.config, { b: { d: 3 } });
    assert.deepEqual((await configure(id, { config: {} })).body.config, {});
  });

  it('is INVALID_PLUGIN if it is missing or not an object, before anything else is checked', async () => {
    const id = await plugin();
    const json = { headers: { 'content-type': 'application/json' } };
    for (const text of [
      '{"config":[]}',
      '{"config":null}',
      '{"config":"x"}',
      '{"config":1e400}',
      '{"config":true,"more":1}',
      '{}',
      '{"more":1}',
      '[]',
      'null',
      '5',
      '"x"',
      '{"__proto__":{"config":{}}}',
      '',
    ]) {
      for (const path of [
        `/plugins/${id}/config`,
        '/plugins/nobody/config',
        '/plugins/No_Slug/config',
        `/plugins/${id}/config?x=1`,
      ]) {
        const { status, body } = await api.call('PUT', path, text, json);
        assert.deepEqual([status, body.error.code], [400, 'INVALID_PLUGIN'], `${path} ${text}`);
      }
    }
    assert.equal((await api.call('PUT', `/plugins/${id}/config`)).body.error.code, 'INVALID_PLUGIN');
    assert.equal(
      (await api.call('PUT', `/plugins/${id}/config`, '{"config":{}', json)).body.error.code,
      'MALFORMED_BODY',
    );
    assert.equal((await configure('nobody', { config: {} })).status, 404);
    assert.equal((await configure(id, { config: {}, more: 1 })).body.error.code, 'VALIDATION_FAILED');
    for (const config of [[], null, 'x', 5]) {
      assert.equal(
        (await api.call('POST', '/plugins', { id: 'Bad Id', config })).body.error.code,
        'INVALID_PLUGIN',
      );
      assert.equal((await api.call('PUT', `/plugins/${id}`, { config })).body.error.code, 'INVALID_PLUGIN');
    }
  });

  it('is stored exactly as JSON.parse reads it', async () => {
    const id = await plugin();
    const texts = [
      '{"__proto__":{"polluted":true},"constructor":{"prototype":{"x":1}},"toString":null}',
      '{"nul":"a\\u0000b","\\u0000":1,"lone":"\\ud800","\\udc00":"\\ud83d\\ude00"}',
      '{"":{"":[]},"a/b~c":{"~1":1},"$ref":"#","$where":"1"}',
      '{"big":9007199254740993,"small":5e-324,"e":1e308,"zero":0,"neg":-1.5,"t":true,"n":null}',
      '{"z":1,"a":2,"10":3,"9":4}',
      '{"text":"\\u2028 \\" \\\\ \\/ ü 報 \\u007f"}',
    ];
    for (const text of texts) {
      const sent = await api.call('PUT', `/plugins/${id}/config`, `{"config":${text}}`);
      assert.equal(sent.status, 200, text);
      const read = await api.call('GET', `/plugins/${id}`);
      const expected = JSON.stringify(JSON.parse(text));
      for (const answer of [sent, read]) {
        assert.equal(JSON.stringify(answer.body.config), expected);
        assert.ok(Object.hasOwn(answer.body.config, '__proto__') === text.includes('__proto__'));
      }
      await api.call('PUT', `/plugins/${id}/config`, '{"config":{}}');
      assert.equal(
        (
          await api.call(
            'POST',
            '/plugins',
            `{"id":"exact-${texts.indexOf(text)}","name":"E","kind":"activity","task_queue":"q","activity_type":"a","config":${text}}`,
          )
        ).status,
        201,
      );
      assert.equal(
        JSON.stringify((await api.call('GET', `/plugins/exact-${texts.indexOf(text)}`)).body.config),
        expected,
      );
    }
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
  });

  it('has limits: 64 levels, 256 KiB, finite numbers', async () => {
    const id = await plugin();
    const nested = (levels: number): string =>
      `{"config":${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}}`;
    const sized = (bytes: number): string => `{"config":{"a":"${'x'.repeat(bytes - 8)}"}}`;
    const cases: [string, number][] = [
      [nested(64), 200],
      [nested(65), 400],
      [nested(99), 400],
      [nested(5000), 400],
      [`{"config":{"a":${'['.repeat(63)}${']'.repeat(63)}}}`, 200],
      [`{"config":{"a":${'['.repeat(64)}${']'.repeat(64)}}}`, 400],
      [sized(256 * 1024), 200],
      [sized(256 * 1024 + 1), 400],
      ['{"config":{"a":[1,-1e400]}}', 400],
    ];
    for (const [text, status] of cases) {
      const answer = await api.call('PUT', `/plugins/${id}/config`, text);
      assert.equal(answer.status, status, text.slice(0, 60));
      if (status === 400) assert.equal(answer.body.error.code, 'VALIDATION_FAILED');
    }
    const infinite = await api.call('PUT', `/plugins/${id}/config`, '{"config":{"a/b":[1,-1e400]}}');
    assert.equal(infinite.body.error.details.errors[0].path, '/config/a~1b/1');
    const body = JSON.stringify({ ...activity, id: 'deep', config_schema: JSON.parse(nested(65)).config });
    assert.equal(
      (await api.call('POST', '/plugins', body)).body.error.details.errors[0].path,
      '/config_schema',
    );
  });

  it('is stored with a warning if it does not match its schema', async () => {
    const config_schema = {
      type: 'object',
      required: ['url'],
      properties: { url: { type: 'string', format: 'uri' }, size: { type: 'integer' } },
      additionalProperties: false,
    };
    const id = await plugin({ config_schema, config: { size: 'large' } });
    const { body } = await configure(id, { config: { url: 'no url', size: 1.5, more: true } });
    assert.deepEqual(body.config, { url: 'no url', size: 1.5, more: true });
    assert.deepEqual(body.config_warnings.map((each: { path: string }) => each.path).sort(), [
      '',
      '/size',
      '/url',
    ]);
    assert.deepEqual(
      (await configure(id, { config: { url: 'https://example.com' } })).body.config_warnings,
      [],
    );
    const server = { properties: { host: { default: 'localhost' } }, required: ['host'] };
    const filled = await plugin({ config_schema: { properties: { server } } });
    const partial = await configure(filled, { config: { server: {} } });
    assert.deepEqual([partial.body.config, partial.body.config_warnings], [{ server: {} }, []]);
    for (const draft of ['06', '07']) {
      const older = await plugin({
        config_schema: { $schema: `http://json-schema.org/draft-${draft}/schema#`, required: ['a'] },
      });
      assert.equal((await configure(older, { config: {} })).body.config_warnings.length, 1);
    }
  });

  it('is not refused when many replicas of its worker register together', async () => {
    const config_schema = { properties: { url: { type: 'string', format: 'uri' } } };
    const body = { ...activity, config_schema };
    const replicas = Array.from({ length: 40 }, () => api.call('PUT', '/plugins/replicated', body));
    const refused = (await Promise.all(replicas)).filter(({ status }) => status === 400);
    assert.deepEqual(
      refused.map(({ text }) => text),
      [],
    );
    assert.equal((await api.call('PUT', '/plugins/replicated', body)).status, 200);
  });

  it('does not wait for all checks of another plugin', async () => {
    const checks = createConfigChecks();
    const ended: string[] = [];
    const check = async (id: string, config: string): Promise<unknown> => {
      const found = await checks.findWarnings(
        { id, config_schema: new RawJson('{"required":["a"]}') },
        new RawJson(config),
      );
      ended.push(id);
      return found;
    };
    const [first, second, same] = await Promise.all([
      check('many', '{"b":1}'),
      check('many', '{"b":2}'),
      check('many', '{"b":2}'),
      check('other', '{}'),
    ]);
    assert.deepEqual(ended, ['many', 'other', 'many', 'many']);
    assert.equal(second, same);
    assert.notEqual(first, second);
  });

  it('is refused while as many others of the plugin as allowed wait', async () => {
    const checks = createConfigChecks(2);
    const config_schema = new RawJson('true');
    const check = (id: string, value: number): Promise<unknown> =>
      checks.requireSchema({ id, config_schema }, new RawJson(`{"value":${value}}`));
    const checked = [check('many', 0), check('many', 1)];
    await assert.rejects(check('many', 2), { code: 'RATE_LIMITED' });
    assert.deepEqual(await checks.findWarnings({ id: 'many', config_schema }, new RawJson('{"value":3}')), [
      { path: '', message: "cannot be checked now: Too many checks of this plugin's config are waiting." },
    ]);
    assert.deepEqual(await Promise.all([...checked, check('many', 1), check('other', 2)]), [[], [], [], []]);
    assert.deepEqual(await check('many', 2), []);
  });

  it('cannot crash the service by a schema that refers to itself without end', async () => {
    const endless = await plugin({
      config_schema: { properties: { a: { $ref: '#' } }, allOf: [{ $ref: '#' }] },
    });
    assert.match(
      (await configure(endless, { config: {} })).body.config_warnings[0].message,
      /cannot be checked/,
    );
  });

  it('gets whole characters in a message that is cut', async () => {
    const id = await plugin({ config_schema: { additionalProperties: false } });
    const key = 'k'.repeat(500 - 'must NOT have additional properties: '.length - 1);
    const { body } = await configure(id, { config: { [`${key}😀`]: 1 } });
    assert.equal(body.config_warnings[0].message, `must NOT have additional properties: ${key}`);
  });

  it('shows values that its schema marks writeOnly only to admin keys', async () => {
    const config_schema = {
      properties: { url: {}, key: { writeOnly: true }, deep: { properties: { pw: { writeOnly: true } } } },
    };
    const config = { url: 'u', key: 'k', deep: { pw: 'p', user: 'x' } };
    const id = await plugin({ config_schema, config });
    assert.deepEqual((await api.call('GET', `/plugins/${id}`)).body.config, config);
    for (const scope of ['read', 'write', `plugin:${id}`]) {
      const bearer = await api.key(scope);
      const answer = await api.call('GET', `/plugins/${id}`, undefined, { bearer });
      assert.deepEqual(answer.body.config, { url: 'u', deep: { user: 'x' } }, scope);
    }
    const own = await api.key(`plugin:${id}`);
    const registered = await api.call(
      'PUT',
      `/plugins/${id}`,
      { ...activity, config_schema },
      { bearer: own },
    );
    assert.deepEqual(registered.body.config, { url: 'u', deep: { user: 'x' } });
  });

  it('is hidden wherever a schema can mark it', () => {
    const secret = { writeOnly: true };
    const cases: [string, unknown, object, object][] = [
      ['no schema', null, { a: 1 }, { a: 1 }],
      ['everything', secret, { a: 1 }, {}],
      [
        'items',
        { properties: { a: { items: { properties: { s: secret } } } } },
        { a: [{ s: 1, t: 2 }] },
        { a: [{ t: 2 }] },
      ],
      ['prefixItems', { properties: { a: { prefixItems: [{}, secret] } } }, { a: [1, 2, 3] }, { a: [1, 3] }],
      [
        'additionalProperties',
        { properties: { a: {} }, additionalProperties: secret },
        { a: 1, b: 2 },
        { a: 1 },
      ],
      ['patternProperties', { patternProperties: { '^k': secret } }, { key: 1 }, {}],
      ['allOf', { allOf: [{ properties: { a: secret } }] }, { a: 1, b: 2 }, { b: 2 }],
      ['then', { if: {}, then: { properties: { a: secret } } }, { a: 1 }, {}],
      ['dependentSchemas', { dependentSchemas: { b: { properties: { a: secret } } } }, { a: 1 }, {}],
      ['$ref', { $defs: { 'a/b': secret }, properties: { a: { $ref: '#/$defs/a~1b' } } }, { a: 1 }, {}],
      [
        '$anchor',
        { $defs: { x: { $anchor: 'key', writeOnly: true } }, properties: { a: { $ref: '#key' } } },
        { a: 1 },
        {},
      ],
      [
        'a recursion',
        { properties: { next: { $ref: '#' }, s: secret } },
        { next: { next: { s: 1, t: 2 } } },
        { next: { next: { t: 2 } } },
      ],
      [
        'a reference inside an embedded schema',
        {
          $defs: { key: {} },
          properties: {
            a: { $ref: '#/$defs/key' },
            in: {
              $id: 'https://example.com/in',
              $defs: { key: secret },
              properties: { a: { $ref: '#/$defs/key' } },
            },
          },
        },
        { b: 1, in: { a: 1, b: 2 } },
        { b: 1, in: { b: 2 } },
      ],
      [
        'an anchor that occurs twice',
        { $defs: { x: { $anchor: 'k' }, y: { $anchor: 'k', ...secret } }, properties: { a: { $ref: '#k' } } },
        { a: 1, b: 2 },
        { b: 2 },
      ],
      [
        'an id of draft 7',
        { $defs: { x: { $id: '#k', type: 'string' } }, properties: { a: { $ref: '#k' } } },
        { a: 1 },
        { a: 1 },
      ],
      ['a reference to nowhere', { properties: { a: { $ref: '#/nowhere' } } }, { a: 1, b: 2 }, { b: 2 }],
      [
        '__proto__',
        JSON.parse('{"properties":{"__proto__":{"writeOnly":true}}}'),
        JSON.parse('{"__proto__":1,"b":2}'),
        { b: 2 },
      ],
      [
        'an example that says writeOnly',
        { properties: { a: { default: { writeOnly: true } } } },
        { a: 1 },
        { a: 1 },
      ],
    ];
    for (const [name, schema, config, shown] of cases) {
      assert.deepEqual(hideWriteOnly(schema, config as Record<string, unknown>), shown, name);
    }
    // Too large to be looked through: what is not known to be open is hidden, and it ends soon.
    const wide = {
      anyOf: Array.from({ length: 2000 }, (_, at) => ({
        properties: { [`p${at}`]: at === 1999 ? secret : {} },
      })),
    };
    const large = Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`p${at}`, [[[at]]]]));
    assert.ok(!('p1999' in hideWriteOnly(wide, large)));
  });
});
