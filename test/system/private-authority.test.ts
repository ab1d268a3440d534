import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compareClock } from '../../cli/operations/doctor/clock.js';
import { eventually } from '../support/eventually.js';
import { createKw, type KwResult } from '../support/service/kw.js';
import { startPrivateParts, type PrivateParts } from '../support/servers/private-parts.js';
import { createRestClient } from '../support/service/rest-client.js';
import { startService } from '../support/service/service.js';

describe('PostgreSQL, S3 and Temporal Cloud with a private certificate authority', () => {
  let parts: PrivateParts;

  before(async () => {
    parts = await startPrivateParts({ migrated: false });
  });
  after(() => parts.stop());

  const kw = (args: readonly string[], more: Record<string, string> = {}): Promise<KwResult> =>
    createKw({ ...parts.env, ...more })(...args);

  it('work with migrations, kw doctor and runs; runs start without search attributes', async () => {
    const migrated = await kw(['migrate']);
    assert.equal(migrated.code, 0, migrated.stderr);
    assert.match(migrated.stdout, /KW_ADMIN_KEY is now an admin key of this database\./);
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
        /^ok +locale +C\.UTF-8: /m,
        /^ok +Temporal +Version \d/m,
        /^WARN +search attributes +No permission to list them/m,
        /^ok +workers +The task queue is polled/m,
        /^ok +object store +The bucket kw-test: objects can be written/m,
        /^ok +KW_SECRET /m,
        /^ok +clock +Within 5 s of PostgreSQL's\./m,
        /^ok +clock +Within 5 s of Temporal's\./m,
        /^ok +clock +Within 5 s of the object store's\./m,
      ])
        assert.match(stdout, line);

      const shift = pathToFileURL(resolve('test/support/shift-clock.mjs')).href;
      const wrong = { KW_TEST_CLOCK_SHIFT_MS: '3600000', NODE_OPTIONS: `--import=${shift}` };
      const other = { KW_SECRET_FILE: '', KW_SECRET: 'the-secret-of-another-service' };
      const said = (await kw(['doctor'], { ...wrong, ...other })).stdout;
      assert.match(said, /^FAIL +KW_SECRET +It is not the secret/m);
      for (const part of ['PostgreSQL', 'Temporal', 'the object store'])
        assert.match(
          said,
          new RegExp(
            `^WARN +clock +The clock of this machine is \\d+ s ahead of that of ${part}\\.\\n +→ Synchronize both clocks with NTP`,
            'm',
          ),
        );
      // Who polled when is told by Temporal's clock.
      assert.match(said, /^ok +workers /m);
      const [from, to] = [Date.now(), Date.now() + 1_000];
      const slow = compareClock('PostgreSQL', { time: to + 3_600_000, from, to });
      assert.match(slow.message, /^The clock of this machine is 3600 s behind that of PostgreSQL\.$/);
      assert.equal(slow.status, 'warn');
    } finally {
      await Promise.all([api.stop(), worker.stop()]);
    }
  });

  it('are checked separately by kw doctor, each problem with a remedy', async () => {
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
      /^FAIL +object store +The certificate of S3 at .* is not trusted .*\n +→ .*KW_S3_CA_CERT_PATH/m,
      /^FAIL +Temporal +.* has no namespace "missing".*\n +→ /m,
    ])
      assert.match(stdout, lines);
  });
});
