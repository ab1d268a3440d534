import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { connectDatabase } from '../../storage/database/connection.js';
import { acceptSecrets } from '../../storage/secrets.js';
import { isFull } from '../support/full.js';
import { createKw, type KwResult } from '../support/service/kw.js';
import { startPrivateParts, type PrivateParts } from '../support/servers/private-parts.js';

const commands = {
  migrate: ['migrate'],
  keys: ['keys', 'list'],
  doctor: ['doctor'],
  serve: ['serve'],
  worker: ['worker'],
} as const;
type Command = keyof typeof commands;

const onDatabase: readonly Command[] = ['migrate', 'keys', 'doctor', 'serve', 'worker'];
const onTemporal: readonly Command[] = ['worker', 'migrate', 'doctor', 'serve'];
const onObjects: readonly Command[] = ['serve', 'doctor', 'worker'];

/** A setting that is wrong, who notices, and what they say. */
interface Fault {
  readonly what: string;
  readonly by: readonly Command[];
  /** Of them, the one that tries it also in a run that is not full. */
  readonly daily?: Command;
  readonly settings: () => Record<string, string>;
  readonly sentence: RegExp;
}

describe('a wrong setting', () => {
  let parts: PrivateParts;
  /** Something else, on a port that the service is to listen on. */
  let squatter: Server;
  let takenPort: number;

  before(async () => {
    parts = await startPrivateParts({ migrated: true });
    squatter = createServer().listen(0, '127.0.0.1');
    await once(squatter, 'listening');
    takenPort = (squatter.address() as AddressInfo).port;
    // The database is used with a secret from here on.
    const db = connectDatabase(parts.withUrl(() => undefined)['DATABASE_URL']!, { poolSize: 1 });
    await acceptSecrets(db, ['a-secret-of-the-tests-alone']);
    await db.destroy();
  });
  after(async () => {
    squatter.close();
    await parts.stop();
  });

  const withUrl = (change: (url: URL) => void) => () => parts.withUrl(change);

  const faults: readonly Fault[] = [
    {
      what: 'a database that does not exist',
      daily: 'keys',
      by: onDatabase,
      settings: withUrl((url) => (url.pathname = '/missing')),
      sentence:
        /PostgreSQL at 127\.0\.0\.1:\d+ has no database "missing": create it, or correct DATABASE_URL\.$/,
    },
    {
      what: 'a password of the database that is wrong',
      daily: 'migrate',
      by: onDatabase,
      settings: withUrl((url) => (url.password = 'wrong')),
      sentence:
        /PostgreSQL at 127\.0\.0\.1:\d+ refuses the log-in of DATABASE_URL: password authentication failed/,
    },
    {
      what: 'an authority of PostgreSQL that is not named',
      by: onDatabase,
      settings: withUrl((url) => url.searchParams.delete('sslrootcert')),
      sentence:
        /The certificate of PostgreSQL at 127\.0\.0\.1:\d+ is not trusted \(.*\): name the file .*sslrootcert=PATH\.$/,
    },
    {
      what: 'a file of the authority of PostgreSQL that does not exist',
      by: onDatabase,
      settings: withUrl((url) => url.searchParams.set('sslrootcert', '/nowhere/ca.pem')),
      sentence: /DATABASE_URL names the file \/nowhere\/ca\.pem, which does not exist\.$/,
    },
    {
      what: 'a namespace that does not exist',
      daily: 'worker',
      by: onTemporal,
      settings: () => ({ TEMPORAL_NAMESPACE: 'missing' }),
      sentence: /Temporal at localhost:\d+ has no namespace "missing": create it /,
    },
    {
      what: 'an API key of Temporal that is wrong',
      by: onTemporal,
      settings: () => ({ TEMPORAL_API_KEY_FILE: '', TEMPORAL_API_KEY: 'wrong' }),
      sentence: /Temporal at localhost:\d+ refuses TEMPORAL_API_KEY for the namespace "cloud-\d+": /,
    },
    {
      what: 'an authority of Temporal that is not named',
      by: onTemporal,
      settings: () => ({ TEMPORAL_TLS_SERVER_CA_CERT_PATH: '' }),
      sentence:
        /The certificate of Temporal at localhost:\d+ is not trusted \(.*TEMPORAL_TLS_SERVER_CA_CERT_PATH/,
    },
    {
      what: 'a key of S3 that is wrong',
      daily: 'doctor',
      by: onObjects,
      settings: () => ({
        KW_S3_SECRET_ACCESS_KEY_FILE: '',
        KW_S3_SECRET_ACCESS_KEY: 'wrong-wrong-wrong',
      }),
      sentence: /S3 at https:\/\/\S+ refuses the key for the bucket "kw-test": correct KW_S3_ACCESS_KEY_ID/,
    },
    {
      what: 'a bucket that does not exist',
      daily: 'serve',
      by: onObjects,
      settings: () => ({ KW_S3_BUCKET: 'missing' }),
      sentence: /S3 at https:\/\/\S+ has no bucket "missing": create it, or correct KW_S3_BUCKET\.$/,
    },
    {
      what: 'a bucket of the search index that does not exist',
      daily: 'serve',
      by: onObjects,
      settings: () => ({ KW_SEARCH_URI: 'lancedb:s3://missing/index' }),
      sentence: /S3 at https:\/\/\S+ has no bucket "missing": create it, or correct KW_SEARCH_URI\.$/,
    },
    {
      what: 'an authority of S3 that is not named',
      by: onObjects,
      settings: () => ({ KW_S3_CA_CERT_PATH: '' }),
      sentence: /The certificate of S3 at https:\/\/\S+ is not trusted \(.*\): set KW_S3_CA_CERT_PATH to /,
    },
    {
      what: 'a file of a secret that cannot be read',
      daily: 'keys',
      by: onDatabase,
      settings: () => ({ DATABASE_URL_FILE: '/nowhere/url' }),
      sentence: /DATABASE_URL_FILE: \/nowhere\/url cannot be read: ENOENT/,
    },
    {
      what: 'a secret given twice',
      by: ['serve', 'worker', 'doctor'],
      settings: () => ({ KW_SECRET: 'a-secret-of-the-tests-alone' }),
      sentence: /KW_SECRET and KW_SECRET_FILE are both set: remove one\.$/,
    },
    {
      what: 'a secret that is not that of the database',
      by: ['worker', 'serve', 'doctor'],
      settings: () => ({ KW_SECRET_FILE: '', KW_SECRET: 'the-secret-of-another-service' }),
      sentence: /is not the secret (of|that) this database/,
    },
    {
      what: 'a folder for temporary files that does not exist',
      daily: 'worker',
      by: ['worker', 'serve', 'doctor'],
      settings: () => ({ TMPDIR: '/nowhere' }),
      sentence: /TMPDIR: no temporary folder can be created in \/nowhere \(ENOENT\)\.$/,
    },
    {
      what: 'a port that is taken',
      by: ['serve'],
      settings: () => ({ PORT: String(takenPort) }),
      sentence: /127\.0\.0\.1:\d+ is in use by another program; set PORT to another port\.$/,
    },
    {
      what: 'a host that has no address',
      daily: 'serve',
      by: ['serve'],
      settings: () => ({ HOST: 'no-such-host.invalid' }),
      sentence:
        /^The host no-such-host\.invalid has no address \(\w+\); set HOST to an address of this machine\.$/,
    },
    {
      what: 'an address of the probes that is taken',
      by: ['worker'],
      settings: () => ({ KW_WORKER_HEALTH_ADDRESS: `127.0.0.1:${takenPort}` }),
      sentence:
        /127\.0\.0\.1:\d+ is in use by another program; set KW_WORKER_HEALTH_ADDRESS to another port\.$/,
    },
    {
      what: 'an address of the metrics of the SDK that is taken',
      by: ['worker'],
      settings: () => ({ KW_TEMPORAL_METRICS_ADDRESS: `127.0.0.1:${takenPort}` }),
      sentence: /^KW_TEMPORAL_METRICS_ADDRESS: cannot listen on 127\.0\.0\.1:\d+: /,
    },
  ];

  /** What a command said of what is wrong: the doctor beside what is right. */
  const complaints = (command: Command, { stdout, stderr }: KwResult): string[] =>
    command === 'doctor'
      ? [...stdout.matchAll(/^FAIL +(.*)\n +→ /gm)].map(([, line]) => line!)
      : stderr.trim().split('\n');

  for (const { what, by, daily, settings, sentence } of faults)
    for (const command of by.filter((each) => isFull || each === daily))
      it(`is reported by kw ${command} in one sentence: ${what}`, async () => {
        const result = await createKw({ ...parts.env, ...settings() })(...commands[command]);
        const said = complaints(command, result).filter((line) => !/^workers /.test(line));
        assert.equal(result.code, 1, result.stdout + result.stderr);
        assert.equal(said.length, 1, result.stdout + result.stderr);
        assert.match(said[0]!, sentence);
        assert.doesNotMatch(result.stdout + result.stderr, /^\s+at /m);
      });

  for (const command of isFull ? onDatabase : (['keys'] as const))
    it(`is reported by kw ${command} as a warning: an unknown name`, async () => {
      const misspelt = { KW_SECERT: 'a secret', DATABASE_URL_FILE: '', DATABASE_URL: '' };
      const { stdout, stderr } = await createKw({ ...parts.env, ...misspelt })(...commands[command]);
      assert.match(
        stdout + stderr,
        /KW_SECERT is not a setting and has no effect\.[^]*(Did you mean|Rename it to) KW_SECRET/,
      );
    });
});
