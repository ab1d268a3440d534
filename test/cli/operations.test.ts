import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { doctor } from '../../cli/operations/doctor/index.js';
import type { Finding } from '../../cli/operations/doctor/finding.js';
import { remedyFor } from '../../cli/operations/doctor/search.js';
import { findApiKey } from '../../storage/auth/api-keys.js';
import { eventually } from '../support/eventually.js';
import { createDatabase, type TestDatabase } from '../support/servers/postgres.js';
import { createKw } from '../support/service/kw.js';
import { temporaryFolder } from '../support/temporary.js';

interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

describe('kw', () => {
  let database: TestDatabase;
  before(async () => {
    database = await createDatabase({ migrated: false });
  });
  after(() => database.drop());

  const kw = async (args: readonly string[], env: Record<string, string> = {}): Promise<Result> => {
    const options = { env: { PATH: process.env['PATH'], DATABASE_URL: database.url, ...env } };
    try {
      const result = await promisify(execFile)(process.execPath, ['dist/bin/kw.js', ...args], options);
      return { code: 0, ...result };
    } catch (error) {
      return error as Result;
    }
  };

  it('migrate brings the schema up to date, once', async () => {
    const first = await kw(['migrate']);
    assert.equal(first.code, 0, first.stderr);
    assert.match(first.stdout, /^Applied: 0001/);
    assert.match((await kw(['migrate'])).stdout, /^The database is up to date\./);
  });

  it('doctor recommends to repair the storage or to rebuild the index only if that helps', () => {
    const storage = /repair the storage: a new index would not help/;
    assert.match(remedyFor('The storage of the search index cannot be used.') ?? '', storage);
    const late = remedyFor('The search index does not answer in time.');
    assert.match(late ?? '', /log of the API .* run "kw search rebuild"/);
    assert.equal(remedyFor('LanceDB does not run on linux-x64.'), null);
  });

  it('doctor prints what it finds as it finds it, and gives up a store at its first time-out', async () => {
    const asked: (string | undefined)[] = [];
    const silent = createServer(({ method }) => asked.push(method)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { said, ended } = createKw({
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      KW_S3_ENDPOINT: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
      KW_S3_BUCKET: 'kw',
      KW_S3_ACCESS_KEY_ID: 'a',
      KW_S3_SECRET_ACCESS_KEY: 'b',
      KW_S3_TIMEOUT_SECONDS: '2',
    }).start('doctor');
    await eventually(() => /^ok +schema /m.test(said.stdout));
    assert.doesNotMatch(said.stdout, /object store/);
    assert.equal((await ended).code, 1);
    assert.match(said.stdout, /^FAIL +object store +The bucket kw cannot be reached: /m);
    assert.deepEqual([...new Set(asked)], ['GET'], 'more was asked than for the owner of the store');
    silent.close();
  });

  it('doctor --json lists the object store after Temporal, whichever answers first', async () => {
    const folder = join(temporaryFolder(), 'objects');
    const temporal = createTcpServer((socket) => {
      temporal.close();
      void eventually(() => existsSync(folder)).finally(() => socket.destroy());
    }).listen(0, '127.0.0.1');
    await once(temporal, 'listening');
    const TEMPORAL_ADDRESS = `127.0.0.1:${(temporal.address() as AddressInfo).port}`;
    const env = { DATABASE_URL: database.url, TEMPORAL_ADDRESS, KW_OBJECT_DIR: folder, TEMPORAL_TLS: 'true' };
    const lines: string[] = [];
    await doctor(env, { json: true }, (line) => lines.push(line));
    const subjects = (JSON.parse(lines.join('')) as Finding[]).map(({ subject }) => subject);
    assert.deepEqual(subjects.slice(-4), ['Temporal', 'object store', 'disk', 'disk']);
  });

  it('keys create, list and revoke work on the database', async () => {
    const created = await kw([
      'keys',
      'create',
      '--name',
      'robot',
      '--scope',
      'read',
      'plugin:ocr',
      '--rate-limit',
      '0',
    ]);
    const key = created.stdout.trim();
    const row = await findApiKey(database.db, key);
    assert.deepEqual([row?.name, row?.scopes, row?.rate_limit], ['robot', ['read', 'plugin:ocr'], 0]);

    const listed = await kw(['keys', 'list']);
    assert.match(listed.stdout, new RegExp(`${row!.id} .*robot .*read,plugin:ocr .*valid`));
    assert(!listed.stdout.includes(key));

    assert.equal((await kw(['keys', 'revoke', row!.id])).code, 0);
    assert.equal(await findApiKey(database.db, key), null);
    assert.match((await kw(['keys', 'list'])).stdout, /revoked/);
    const again = await kw(['keys', 'revoke', row!.id]);
    assert.deepEqual([again.code, again.stderr.trim()], [1, `There is no active key ${row!.id}.`]);
    const audited = await database.db('audit').where({ object_id: row!.id }).orderBy('id');
    assert.deepEqual(
      audited.map(({ action, key_id, address }) => [action, key_id, address]),
      [
        ['createKey', null, null],
        ['deleteKey', null, null],
      ],
    );
  });

  it('ends silently when the reader of its output does', async () => {
    const { child, ended } = createKw({ DATABASE_URL: database.url }).start('keys', 'list');
    child.stdout?.destroy();
    const { code, stderr } = await ended;
    assert.deepEqual([code, stderr], [0, '']);
  });

  const refused: readonly [string, readonly string[], Record<string, string>, RegExp, number?][] = [
    [
      'an unknown scope',
      ['keys', 'create', '--name', 'x', '--scope', 'root'],
      {},
      /^"root" is not a scope\./,
      2,
    ],
    ['an empty scope', ['keys', 'create', '--name', 'x', '--scope', ''], {}, /^"" is not a scope\./, 2],
    ['a key without a name', ['keys', 'create', '--name', '', '--scope', 'read'], {}, /^--name must not/, 2],
    [
      'a missing database',
      ['keys', 'list'],
      { DATABASE_URL: '', KW_DATA_DIR: '/nowhere' },
      /^DATABASE_URL is missing\./,
    ],
    [
      'a database that is away',
      ['keys', 'list'],
      { DATABASE_URL: 'postgres://127.0.0.1:1/kw' },
      /^PostgreSQL at 127\.0\.0\.1:1 cannot be reached: .*ECONNREFUSED.*\.$/m,
    ],
    ['a worker without its settings', ['worker'], {}, /^KW_PUBLIC_URL is missing\./],
    ['an API without its settings', ['serve'], {}, /^KW_SECRET is missing\./],
  ];
  for (const [what, args, env, message, exit = 1] of refused) {
    it(`refuses ${what} without a stack trace`, async () => {
      const { code, stderr } = await kw(args, env);
      assert.equal(code, exit);
      assert.match(stderr, message);
      assert(!/^\s+at /m.test(stderr), stderr);
    });
  }
});
