import assert from 'node:assert/strict';
import { eventually } from '../support/eventually.js';
import { createKw, type KwResult } from '../support/kw.js';
import { startPrivateParts, type PrivateParts } from '../support/private-parts.js';
import { createRestClient } from '../support/rest-client.js';
import { startService } from '../support/service.js';

describe('PostgreSQL, S3 and Temporal Cloud behind a private authority', () => {
  let parts: PrivateParts;

  before(async () => {
    parts = await startPrivateParts({ migrated: false });
  });
  after(() => parts.stop());

  const kw = (args: readonly string[], more: Record<string, string> = {}): Promise<KwResult> =>
    createKw({ ...parts.env, ...more })(...args);

  it('are migrated, diagnosed and worked with; runs start without search attributes', async () => {
    const migrated = await kw(['migrate']);
    assert.equal(migrated.code, 0, migrated.stderr);
    assert.match(migrated.stdout, /KW_ADMIN_KEY is an admin key of this database now\./);
    assert.match(migrated.stdout, /KwResourceName, .* could not be registered: .*unauthorized/);
    assert.doesNotMatch((await kw(['migrate'])).stdout, /KW_ADMIN_KEY/);

    const { env, adminKey } = parts;
    const [api, worker] = await Promise.all([startService('api', env), startService('worker', env)]);
    try {
      const client = createRestClient({ api: env['KW_PUBLIC_URL']!, adminKey });
      await eventually(async () => (await client.call('GET', '/pipelines')).body.items.length > 0);
      const { id } = await client.upload('document', { text: 'It went through three tunnels.' });
      const resource = await client.settled(id);
      assert.equal(resource.status, 'COMPLETED', JSON.stringify(resource.error));
      assert.match(api.output() + worker.output(), /starts without search attributes/);

      const { code, stdout } = await kw(['doctor']);
      assert.equal(code, 0, stdout);
      for (const line of [
        /^ok +settings /m,
        /^ok +PostgreSQL /m,
        /^ok +Temporal +Version \d/m,
        /^WARN +search attributes +They may not be listed/m,
        /^ok +workers +All 4 task queues/m,
        /^ok +object store +The bucket kw-test takes/m,
        /^ok +KW_SECRET /m,
        /^ok +clock /m,
      ])
        assert.match(stdout, line);
    } finally {
      await Promise.all([api.stop(), worker.stop()]);
    }
  });

  it('are told apart by kw doctor, each fault with a remedy', async () => {
    const { code, stdout } = await kw(['doctor'], {
      ...parts.withUrl((url) => (url.pathname = '/missing')),
      KW_S3_CA_CERT_PATH: '',
      TEMPORAL_NAMESPACE: 'missing',
      KW_SECRTE: 'misspelt',
    });
    assert.equal(code, 1);
    for (const lines of [
      /^WARN +settings +KW_SECRTE is not a setting .*\n +→ Rename it to KW_SECRET, or remove it\./m,
      /^FAIL +PostgreSQL +.* has no database "missing".*\n +→ /m,
      /^FAIL +object store +The bucket kw-test cannot be reached: .*certificate.*\n +→ .*KW_S3_CA_CERT_PATH/m,
      /^FAIL +Temporal +.* has no namespace "missing".*\n +→ /m,
    ])
      assert.match(stdout, lines);
  });
});
