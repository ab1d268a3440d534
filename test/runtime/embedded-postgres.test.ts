import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { dataPaths } from '../../runtime/embedded/data-paths.js';
import { keptPorts } from '../../runtime/embedded/ports.js';
import { startPostgres, type EmbeddedPostgres } from '../../runtime/embedded/postgres/server.js';
import { isRunning, signal } from '../../runtime/embedded/process-identity.js';
import { connectDatabase } from '../../storage/database/connection.js';
import { temporaryFolder } from '../support/temporary.js';

describe('embedded PostgreSQL', () => {
  const paths = dataPaths(temporaryFolder());
  let server: EmbeddedPostgres | undefined;

  const start = async (): Promise<EmbeddedPostgres> =>
    (server = await startPostgres(paths, keptPorts(paths.ports)));
  const query = async (sql: string, url = server!.url): Promise<unknown[]> => {
    const db = connectDatabase(url, { poolSize: 1 });
    try {
      return (await db.raw<{ rows: unknown[] }>(sql)).rows;
    } finally {
      await db.destroy();
    }
  };

  afterEach(() => server?.stop());

  it('keeps committed data after kill -9, at the same address', async () => {
    const { url, daemon } = await start();
    await query('create table kept (n int); insert into kept values (1)');
    signal(daemon.identity, 'SIGKILL');
    await daemon.ended;
    const again = await start();
    assert.equal(again.url, url);
    assert.deepEqual(await query('select n from kept'), [{ n: 1 }]);
  });

  it('is reached without TLS, whatever the shell prefers', async () => {
    const earlier = process.env['PGSSLMODE'];
    process.env['PGSSLMODE'] = 'require';
    try {
      await start();
      assert.deepEqual(await query('select 1 as n'), [{ n: 1 }]);
    } finally {
      if (earlier === undefined) delete process.env['PGSSLMODE'];
      else process.env['PGSSLMODE'] = earlier;
    }
  });

  it('is durable, uses UTF-8 and gives the service only its own database', async () => {
    const { superuserUrl } = await start();
    const [server] = await query(
      `select current_setting('fsync') fsync, current_setting('synchronous_commit') commit,
         current_setting('listen_addresses') listens, current_setting('unix_socket_directories') sockets`,
      superuserUrl,
    );
    assert.deepEqual(server, { fsync: 'on', commit: 'on', listens: '127.0.0.1', sockets: '' });
    const [service] = await query(
      `select rolsuper or rolcreaterole or rolcreatedb more, 'É' ilike 'é' "ignoresCase"
         from pg_roles where rolname = current_user`,
    );
    assert.deepEqual(service, { more: false, ignoresCase: true });
    await query('create extension if not exists pg_trgm');
  });

  it('rejects connections without the password', async () => {
    const { url } = await start();
    const withAnother = new URL(url);
    withAnother.password = 'another';
    await assert.rejects(query('select 1', withAnother.href), /password authentication failed/);
  });

  it('stops at once, and reliably', async () => {
    const running = await start();
    const began = Date.now();
    await running.stop(300_000);
    assert(!isRunning(running.daemon.identity));
    assert(Date.now() - began < 60_000);
  });

  it('uses another port if its own is taken', async () => {
    const first = await start();
    await first.stop();
    const squatter = createServer().listen(first.port, '127.0.0.1');
    try {
      assert.notEqual((await start()).port, first.port);
    } finally {
      squatter.close();
    }
  });

  it('runs as root below a private folder, and follows no link that its user made', async function () {
    if (process.getuid?.() !== 0) this.skip();
    const closed = temporaryFolder();
    chmodSync(closed, 0o700);
    const below = dataPaths(join(closed, 'data'));
    mkdirSync(below.postgres, { recursive: true });
    const ours = join(closed, 'ours');
    writeFileSync(ours, 'kept');
    symlinkSync(ours, join(below.postgres, 'cluster.password'));
    server = await startPostgres(below, keptPorts(below.ports));
    assert.deepEqual(await query('select 1 as n'), [{ n: 1 }]);
    assert.deepEqual([readFileSync(ours, 'utf8'), statSync(ours).uid], ['kept', 0]);
  });

  it('says that it cannot be set up because the disk is full', async function () {
    const disk = temporaryFolder();
    // Only root may make a file system.
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m,mode=711', 'tmpfs', disk]).status !== 0)
      this.skip();
    try {
      const full = dataPaths(join(disk, 'data'));
      mkdirSync(full.root);
      await assert.rejects(startPostgres(full, keptPorts(full.ports)), {
        name: 'StartError',
        message: /^PostgreSQL could not be set up: .*No space left on device/,
      });
    } finally {
      spawnSync('umount', ['-l', disk]);
    }
  });

  it('makes its folder private', () => {
    assert.equal(statSync(paths.postgres).mode & 0o777, 0o700);
    assert.equal(statSync(paths.postgresCredentials).mode & 0o777, 0o600);
  });
});
