import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { about } from '../../cli/operations/doctor/finding.js';
import { checkSecret } from '../../cli/operations/doctor/secret.js';
import { uuidv7 } from '../../core/ids.js';
import { seal } from '../../core/secrets/sealing.js';
import { startSweeper } from '../../runtime/sweeps/sweeper.js';
import { readConfig } from '../../storage/pipelines/plugins.js';
import { acceptSecrets, noteSecretUse, readSecretState } from '../../storage/secrets.js';
import { eventually } from '../support/eventually.js';
import { startApi } from '../support/service/api.js';
import { reservePort } from '../support/servers/ports.js';
import { createDatabase, type TestDatabase } from '../support/servers/postgres.js';
import { startProxy } from '../support/network/proxy.js';
import { startService } from '../support/service/service.js';
import { startTemporal } from '../support/servers/temporal.js';

const ours = 'the-secret-of-this-service';
const other = 'the-secret-of-another-service';

describe('a KW_SECRET that does not match the database', () => {
  let database: TestDatabase;
  let env: Record<string, string>;

  before(async () => {
    const temporal = await startTemporal();
    database = await createDatabase();
    const port = await reservePort();
    env = {
      DATABASE_URL: database.url,
      ...temporal.env,
      PORT: String(port),
      KW_PUBLIC_URL: `http://127.0.0.1:${port}`,
    };
    // As a process does that starts.
    await acceptSecrets(database.db, [ours]);
  });
  after(() => database.drop());

  /** What `kw doctor` says of secrets. */
  const doctor = async (...secrets: readonly string[]): Promise<string> => {
    const findings = await checkSecret(database.db, secrets);
    return findings.map(({ status, message }) => `${status}: ${message}`).join('\n');
  };

  it('prevents API and worker from starting, with a reason', async () => {
    for (const name of ['api', 'worker'] as const)
      await assert.rejects(
        startService(name, { ...env, KW_SECRET: other }),
        /KW_SECRET is not the secret of this database/,
      );
    assert.match(await doctor(other), /^fail: It is not the secret/);
    assert.equal(await doctor(ours), 'ok: The secret of this database.');
  });

  it('ends an API that started while the database was down, before it answers anything', async () => {
    const { hostname, port } = new URL(database.url);
    const proxy = await startProxy({ host: hostname, port: Number(port) });
    await proxy.set('refuse');
    const url = new URL(database.url);
    url.host = proxy.address;
    const api = await startService('api', { ...env, DATABASE_URL: url.href, KW_SECRET: other });
    try {
      await proxy.set('pass');
      await eventually(() => !isAlive(api.pid));
      assert.match(api.output(), /KW_SECRET is not the secret of this database/);
      assert.equal(await api.stop(), 1);
    } finally {
      await api.kill9();
      await proxy.stop();
    }
  });

  it('is rejected also if it lacks a secret that something is still sealed with', async () => {
    // As it is when a replaced secret is dropped too early.
    const config_sealed = seal([other], '{}');
    await database.db('plugins').insert({ id: 'sealed', name: 'Sealed', kind: 'activity', config_sealed });
    await assert.rejects(
      acceptSecrets(database.db, [ours]),
      /KW_SECRET lacks a secret that still encrypts 1 value in the database/,
    );
    assert.match(await doctor(ours), /^fail: 1 .* encrypted with a secret that KW_SECRET does not contain/);
    const api = await startApi({ env: { ...env, KW_SECRET: `${ours},${other}` }, database });
    const sweeper = startSweeper(api.deps.sweeps, 1, api.deps.log);
    await eventually(async () => /To replace it, put the new one first/.test(await doctor(ours, other)));
    await sweeper.stop();
    await api.stop();
  });
});

describe('a replaced secret', () => {
  it('is needed as long as a process that reports rarely may sign with it', async () => {
    const database = await createDatabase();
    const { db } = database;
    await acceptSecrets(db, [ours]);
    for (const seconds of [600, 1]) await noteSecretUse(db, [ours], seconds);
    await acceptSecrets(db, [other, ours]);
    const ref = { resource_id: uuidv7(), run: 1 };
    const resource = { name: 'x', type: 'x', source_type: 'UPLOAD', status: 'PROCESSING', run: 1 };
    const step = {
      plugin_id: 'p',
      kind: 'activity',
      max_attempts: 1,
      backoff_seconds: 0,
      timeout_seconds: 600,
    };
    await db('resources').insert({ ...resource, id: ref.resource_id });
    await db('runs').insert({ ...ref, status: 'PROCESSING', workflow_id: 'w', source_ready: true });
    await db('steps').insert({ ...ref, ...step, index: 0, status: 'RUNNING' });
    const soon = db.raw("now() + interval '10 minutes'");
    await db('attempts').insert({
      ...ref,
      step_index: 0,
      number: 1,
      max: 1,
      started_at: soon,
      deadline: soon,
    });
    assert.equal((await readSecretState(db, [other, ours])).tokensOtherwise, 1);
    await database.drop();
  });
});

describe('a lost secret', () => {
  it('can be replaced by the documented statements: the pipelines stay, the configs are empty', async () => {
    const database = await createDatabase();
    const { db } = database;
    await acceptSecrets(db, [ours]);
    const values = { config_sealed: seal([ours], '{"a":1}'), secret_sealed: seal([ours], 's') };
    await db('plugins').insert({ id: 'lost', name: 'Lost', kind: 'http', endpoint: 'http://p', ...values });
    const id = uuidv7();
    await db('pipelines').insert({ id, name: 'Lost', trigger_type: 'lost' });
    const limits = { max_attempts: 1, backoff_seconds: 0, timeout_seconds: 600 };
    await db('pipeline_steps').insert({ pipeline_id: id, index: 0, plugin_id: 'lost', ...limits });
    await assert.rejects(acceptSecrets(db, [other]), /KW_SECRET is not the secret of this database/);

    const guide = readFileSync('docs/operations.md', 'utf8');
    const [, statements = ''] = /### If KW_SECRET is lost[^#]*?```sql\n(.*?)```/s.exec(guide) ?? [];
    await db.raw(statements);
    assert.equal((await readSecretState(db, [other])).unreadable, 0);
    await acceptSecrets(db, [other]);
    assert.deepEqual(await checkSecret(db, [other]), [about('KW_SECRET').ok('The secret of this database.')]);
    assert.deepEqual(await readConfig(db, [other], 'lost'), {});
    assert.equal((await db('pipeline_steps').where({ plugin_id: 'lost' })).length, 1);
    await database.drop();
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
