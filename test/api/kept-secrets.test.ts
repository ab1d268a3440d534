import assert from 'node:assert/strict';
import { RawJson } from '../../core/json/raw-json.js';
import { lockPlugin, replaceConfig } from '../../storage/pipelines/plugins.js';
import { startApi, type Answer, type TestApi } from '../support/service/api.js';
import { lockWaits } from '../support/servers/postgres.js';

const activity = { name: 'A', kind: 'activity', task_queue: 'q', activity_type: 'a' } as const;
const secret = { type: 'string', writeOnly: true } as const;

describe('a value that a schema marks writeOnly', () => {
  let api: TestApi;
  let own: string;
  let reader: string;
  let id: string;
  let made = 0;

  before(async () => {
    api = await startApi();
    reader = await api.key('read');
  });
  after(() => api.stop());
  beforeEach(async () => {
    id = `keeper-${(made += 1)}`;
    own = await api.key(`plugin:${id}`);
  });

  const register = async (config_schema: unknown, bearer?: string, config?: object): Promise<Answer> => {
    const body = {
      ...activity,
      ...(config_schema !== undefined && { config_schema }),
      ...(config && { config }),
    };
    const answer = await api.call('PUT', `/plugins/${id}`, body, bearer === undefined ? {} : { bearer });
    assert.ok(answer.status < 300, answer.text);
    return answer;
  };
  const shown = async (): Promise<unknown> =>
    (await api.call('GET', `/plugins/${id}`, undefined, { bearer: reader })).body.config;

  it('stays hidden when an older version of a worker registers last, which gets a warning', async () => {
    const config = { url: 'u', key: 'k', deep: [{ pw: 'p', user: 'x' }], 'a/b': { c: 'd' } };
    const newer = {
      properties: {
        key: secret,
        deep: { items: { properties: { pw: secret } } },
        'a/b': { writeOnly: true },
      },
    };
    const visible = { url: 'u', deep: [{ user: 'x' }] };
    await register(newer, own, config);
    assert.deepEqual(await shown(), visible);

    const older = { properties: { url: { type: 'integer' }, key: { type: 'string' } }, required: ['more'] };
    for (const schema of [older, { $ref: '#/$defs/x', $defs: { x: {} } }, true, null]) {
      const { status, body } = await register(schema, own);
      assert.deepEqual([status, await shown(), body.config], [200, visible, visible], JSON.stringify(schema));
      assert.deepEqual(
        body.config_warnings
          .filter(({ message }: { message: string }) => message.startsWith('stays writeOnly'))
          .map(({ path }: { path: string }) => path),
        ['/key', '/deep/0/pw', '/a~1b'],
      );
    }
    // The rest of a schema is taken as it is.
    const { body } = await register(older, own);
    assert.deepEqual(body.config_schema.required, ['more']);
    const paths = body.config_warnings.map(({ path }: { path: string }) => path);
    assert.ok(paths.includes('/url') && paths.includes(''), paths.join());

    const again = await register(newer, own);
    assert.deepEqual([again.body.config_schema, again.body.config_warnings], [newer, []]);
    assert.deepEqual(await shown(), visible);
  });

  it('is shown after an admin key allows it', async () => {
    await register({ properties: { key: secret } }, own, { key: 'k' });
    const open = { properties: { key: { type: 'string' } } };
    const { body } = await register(open);
    assert.deepEqual([body.config_schema, body.config_warnings, await shown()], [open, [], { key: 'k' }]);
  });

  it('does not prevent a schema change if the config has nothing to hide', async () => {
    await register({ properties: { key: secret } }, own, { url: 'u' });
    const { body } = await register({ properties: {} }, own);
    assert.deepEqual([body.config_schema, body.config_warnings], [{ properties: {} }, []]);
  });

  it('stays hidden when the secret is stored while the schema is being registered', async () => {
    await register({ properties: { key: secret } }, own, {});
    const { db, config } = api.deps;
    let registering: Promise<unknown> = Promise.resolve();
    await db.transaction(async (trx) => {
      await lockPlugin(trx, id);
      registering = register({}, own);
      // It has read a config without a secret by now, and waits to write the schema.
      await lockWaits(db, 1);
      await replaceConfig(trx, config.secrets, id, new RawJson('{"key":"k"}'));
    });
    await registering;
    assert.deepEqual(await shown(), {});
  });

  it('stays hidden when the schema and then the secret are stored while the plugin is read', async () => {
    await register({ properties: { key: { type: 'string' } } }, own, { key: 'open' });
    const { db, config } = api.deps;
    const [held, changing] = [await db.transaction(), await db.transaction()];
    await held.raw('lock table plugins');
    const reading = shown();
    await lockWaits(db, 1);
    // PostgreSQL grants it as soon as the statement that is reading ends.
    const changed = changing.raw('lock table plugins').then(async () => {
      const config_schema = JSON.stringify({ properties: { key: secret } });
      await changing('plugins').where({ id }).update({ config_schema });
      await replaceConfig(changing, config.secrets, id, new RawJson('{"key":"secret"}'));
      await changing.commit();
    });
    await lockWaits(db, 2);
    await held.commit();
    await changed;
    assert.deepEqual(await reading, { key: 'open' });
  });
});
