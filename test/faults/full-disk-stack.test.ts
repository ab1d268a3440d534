import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { atExit } from '../support/at-exit.js';
import { eventually } from '../support/eventually.js';
import { fill } from '../support/stores/fill.js';
import { createRestClient, type RestClient } from '../support/service/rest-client.js';
import { startStack, type TestStack } from '../support/service/stack.js';
import { temporaryFolder } from '../support/temporary.js';

/** Everything that "npm start" runs, with all it writes on one small disk. */
describe('a whole service on a full disk', () => {
  const disk = join(temporaryFolder(), 'disk');
  const filler = join(disk, 'filler');
  let stack: TestStack | undefined;
  let client: RestClient;

  before(async function () {
    mkdirSync(disk);
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=300m', 'tmpfs', disk]);
    // Only root may make a file system.
    if (mounted.status !== 0) return this.skip();
    atExit(() => spawnSync('umount', ['-l', disk]));
    chmodSync(disk, 0o711);
    stack = await startStack({ dataDir: join(disk, 'data') });
    client = createRestClient(stack);
  });
  after(async () => {
    rmSync(filler, { force: true });
    await stack?.stop();
    spawnSync('umount', ['-l', disk]);
  });

  const process = async (text: string): Promise<string> => {
    const { id } = await client.upload('document', { text });
    return (await client.settled(id)).status;
  };

  it('rejects uploads, serves reads, and recovers with every process after space is freed', async () => {
    const { id } = await client.upload('document', { text: 'Kept before.' });
    const kept = await client.settled(id);
    assert.equal(kept.status, 'COMPLETED');
    const { api, worker } = stack!.stack().processes;

    fill(filler);
    for (let round = 0; round < 5; round++) {
      fill(filler);
      const form = new FormData();
      form.set('name', 'Refused');
      form.set('type', 'document');
      form.set('file', new Blob(['x'.repeat(100_000)]), 'refused.txt');
      const refused = await client.call('POST', '/resources', form);
      assert.deepEqual([refused.status, refused.body.error?.code], [503, 'STORAGE_UNAVAILABLE']);
      await client.expect(200, 'GET', '/resources');
      assert.equal((await client.artifact(kept, 'text')).content, 'Kept before.');
    }
    assert.deepEqual([stack!.stack().processes['api'], stack!.stack().processes['worker']], [api, worker]);

    rmSync(filler);
    assert.equal(await process('Added later.'), 'COMPLETED');
  });

  it('recovers its database when the write-ahead log had no space', async () => {
    fill(filler);
    const db = new pg.Client({ connectionString: stack!.stack().database_url });
    db.on('error', () => undefined);
    await db.connect();
    const writeLog = async (): Promise<void> => {
      for (;;) await db.query("select pg_logical_emit_message(true, 'test', repeat('x', 1000000))");
    };
    await assert.rejects(writeLog());
    await eventually(() => readFileSync(join(disk, 'data/logs/postgres.log'), 'utf8').includes('PANIC'));

    rmSync(filler);
    await eventually(async () => (await fetch(`${stack!.api}/health/ready`)).ok);
    assert.equal(await process('After a panic.'), 'COMPLETED');
  });

  it('restarts processes that die meanwhile', async () => {
    const before = stack!.stack().processes;
    const names = ['api', 'worker', 'temporal', 'postgres'] as const;
    const kill = (name: (typeof names)[number]): void =>
      void globalThis.process.kill(before[name]!, 'SIGKILL');
    fill(filler);
    kill('api');
    await eventually(() => stack!.output().includes('api has ended'));
    await eventually(async () => {
      fill(filler);
      return (await fetch(`${stack!.api}/health/live`).catch(() => null))?.ok === true;
    });
    assert.doesNotMatch(stack!.output(), /is being restarted\.[^]*ENOSPC/);
    for (const name of names.slice(1)) kill(name);
    await eventually(() => names.every((name) => stack!.output().includes(`${name} has ended`)));

    rmSync(filler);
    await eventually(async () => (await fetch(`${stack!.api}/health/ready`)).ok);
    assert.equal(await process('After all died.'), 'COMPLETED');
    // Those it says run are those that do.
    await eventually(() => {
      const after = stack!.stack().processes;
      return names.every((name) => after[name] !== before[name] && globalThis.process.kill(after[name]!, 0));
    });
  });
});
