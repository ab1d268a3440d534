import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { temporalReachable } from '../../runtime/temporal/connection.js';
import { createAuthority } from '../support/authority.js';
import { eventually } from '../support/eventually.js';
import { createKw, type KwResult } from '../support/kw.js';
import { reservePort } from '../support/ports.js';
import { createDatabase, type TestDatabase } from '../support/postgres.js';
import { createRestClient } from '../support/rest-client.js';
import { s3Settings, startS3, type TestS3 } from '../support/s3.js';
import { startService } from '../support/service.js';
import { startTemporal } from '../support/temporal.js';
import { temporaryFolder } from '../support/temporary.js';
import {
  startHttpsProxy,
  startPostgresTls,
  startTemporalTls,
  type TlsProxy,
} from '../support/tls-proxies.js';

const secrets = temporaryFolder();
/** A file that holds a secret, with the new line that editors put at its end. */
const fileOf = (name: string, content: string): string => {
  const path = join(secrets, name);
  writeFileSync(path, `${content}\n`);
  return path;
};

const adminKey = 'the-first-admin-key-which-somebody-chose';

describe('PostgreSQL, S3 and Temporal Cloud behind a private authority', () => {
  let database: TestDatabase;
  let s3: TestS3;
  let databaseUrl: URL;
  let env: Record<string, string>;
  const proxies: TlsProxy[] = [];

  before(async () => {
    const [{ certificate, caFile }, temporal] = await Promise.all([
      createAuthority(),
      startTemporal(),
      (async () => (database = await createDatabase({ migrated: false })))(),
      (async () => (s3 = await startS3()))(),
    ]);
    const namespace = `cloud-${process.pid}`;
    const connection = await Connection.connect({ address: temporal.config.address });
    await connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: msToTs('1 day'),
    });
    await eventually(() => temporalReachable(connection, namespace));
    await connection.close();
    databaseUrl = new URL(database.url);
    const [toDatabase, toS3, toTemporal] = await Promise.all([
      startPostgresTls(certificate, { host: databaseUrl.hostname, port: Number(databaseUrl.port) }),
      startHttpsProxy({ certificate, target: () => s3.endpoint }),
      startTemporalTls(certificate, temporal.config.address, 'the-key-of-the-cloud'),
    ]);
    proxies.push(toDatabase, toS3, toTemporal);
    databaseUrl.host = toDatabase.address;
    databaseUrl.searchParams.set('sslmode', 'verify-full');
    databaseUrl.searchParams.set('sslrootcert', caFile);
    const port = await reservePort();
    const { KW_S3_SECRET_ACCESS_KEY, ...bucket } = s3Settings(s3, `https://${toS3.address}`);
    env = {
      ...bucket,
      KW_S3_SECRET_ACCESS_KEY_FILE: fileOf('s3', KW_S3_SECRET_ACCESS_KEY ?? ''),
      KW_S3_CA_CERT_PATH: caFile,
      DATABASE_URL_FILE: fileOf('database', databaseUrl.href),
      // A name: what is in a certificate for an address, gRPC does not ask for without a warning.
      TEMPORAL_ADDRESS: toTemporal.address.replace('127.0.0.1', 'localhost'),
      TEMPORAL_NAMESPACE: namespace,
      TEMPORAL_API_KEY_FILE: fileOf('temporal', 'the-key-of-the-cloud'),
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: caFile,
      KW_SECRET_FILE: fileOf('secret', 'a-secret-of-the-tests-alone'),
      KW_ADMIN_KEY_FILE: fileOf('admin-key', adminKey),
      PORT: String(port),
      KW_PUBLIC_URL: `http://127.0.0.1:${port}`,
    };
  });
  after(async () => {
    await Promise.all(proxies.map((proxy) => proxy.stop()));
    await Promise.all([s3.stop(), database.drop()]);
  });

  const kw = (args: readonly string[], more: Record<string, string> = {}): Promise<KwResult> =>
    createKw({ ...env, ...more })(...args);

  it('are migrated, diagnosed and worked with; runs start without search attributes', async () => {
    const migrated = await kw(['migrate']);
    assert.equal(migrated.code, 0, migrated.stderr);
    assert.match(migrated.stdout, /KW_ADMIN_KEY is an admin key of this database now\./);
    assert.match(migrated.stdout, /KwResourceName, .* could not be registered: .*unauthorized/);
    assert.doesNotMatch((await kw(['migrate'])).stdout, /KW_ADMIN_KEY/);

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

  const withUrl = (change: (url: URL) => void): Record<string, string> => {
    const url = new URL(databaseUrl);
    change(url);
    return { DATABASE_URL_FILE: '', DATABASE_URL: url.href };
  };
  const wrong: readonly [string, readonly string[], () => Record<string, string>, RegExp][] = [
    [
      'an authority of PostgreSQL that is not named',
      ['keys', 'list'],
      () => withUrl((url) => url.searchParams.delete('sslrootcert')),
      /^The certificate of PostgreSQL at 127\.0\.0\.1:\d+ is not trusted \(.*\): name the file .*sslrootcert=PATH\.$/,
    ],
    [
      'a file of an authority that is not there',
      ['migrate'],
      () => withUrl((url) => url.searchParams.set('sslrootcert', '/nowhere/ca.pem')),
      /^DATABASE_URL names the file \/nowhere\/ca\.pem, which does not exist\.$/,
    ],
    [
      'a database that does not exist',
      ['keys', 'list'],
      () => withUrl((url) => (url.pathname = '/missing')),
      /^PostgreSQL at 127\.0\.0\.1:\d+ has no database "missing": create it, or correct DATABASE_URL\.$/,
    ],
    [
      'a password that is wrong',
      ['migrate'],
      () => withUrl((url) => (url.password = 'wrong')),
      /^PostgreSQL at 127\.0\.0\.1:\d+ refuses the log-in of DATABASE_URL: password authentication failed/,
    ],
    [
      'an authority of Temporal that is not named',
      ['migrate'],
      () => ({ TEMPORAL_TLS_SERVER_CA_CERT_PATH: '' }),
      /^The certificate of Temporal at localhost:\d+ is not trusted \(.*TEMPORAL_TLS_SERVER_CA_CERT_PATH/,
    ],
    [
      'a namespace that does not exist',
      ['migrate'],
      () => ({ TEMPORAL_NAMESPACE: 'missing' }),
      /^Temporal at localhost:\d+ has no namespace "missing": create it /,
    ],
    [
      'an API key that is wrong',
      ['migrate'],
      () => ({ TEMPORAL_API_KEY_FILE: '', TEMPORAL_API_KEY: 'wrong' }),
      /^Temporal at localhost:\d+ refuses TEMPORAL_API_KEY for the namespace "cloud-\d+": /,
    ],
    [
      'a file of a secret that is not there',
      ['keys', 'list'],
      () => ({ DATABASE_URL_FILE: '/nowhere/url' }),
      /^DATABASE_URL_FILE: \/nowhere\/url cannot be read: ENOENT/,
    ],
  ];
  for (const [what, args, more, sentence] of wrong) {
    it(`answers ${what} with one sentence`, async () => {
      const { code, stderr } = await kw(args, more());
      assert.equal(code, 1);
      const lines = stderr.trim().split('\n');
      assert.equal(lines.length, 1, stderr);
      assert.match(lines[0]!, sentence);
    });
  }

  it('are told apart by kw doctor, each fault with a remedy', async () => {
    const { code, stdout } = await kw(['doctor'], {
      ...withUrl((url) => (url.pathname = '/missing')),
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
