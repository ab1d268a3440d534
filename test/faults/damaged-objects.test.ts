import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { doctor } from '../../cli/operations/doctor/index.js';
import { verify } from '../../cli/operations/verify.js';
import type { PluginContext } from '@knowledge-warehouse/plugin';
import { ownerKey, readOwner } from '../../storage/object-store/owner.js';
import { startCore, type Answer, type TestCore } from '../support/service/core.js';
import { eventually } from '../support/eventually.js';
import { startHttpWorker, type HttpWorker } from '../support/workers/http-worker.js';
import { createKw } from '../support/service/kw.js';
import { emitNote, notePlugin } from '../support/workers/note-plugin.js';
import { createDatabase, type TestDatabase } from '../support/servers/postgres.js';
import { s3Settings, startS3, type TestS3 } from '../support/servers/s3.js';
import { temporaryFolder } from '../support/temporary.js';

/** Bytes of a content that is checked before its first byte is sent, and of one that is checked on its way. */
const sizes = { short: 1_000, long: 1024 * 1024 };
const faults = ['flipped', 'truncated', 'missing'] as const;
type Fault = (typeof faults)[number];
const combinations = Object.entries(sizes).flatMap(([length, bytes]) =>
  faults.map((fault) => ({ length, bytes, fault })),
);
/** One that is seen before the first byte is sent, and one that is seen on its way. Every reader has the same check. */
const fewCombinations = combinations.filter(
  ({ length, fault }) => (length === 'short') === (fault === 'missing') && fault !== 'truncated',
);
const reasonOf = (fault: Fault): string => (fault === 'missing' ? 'missing' : 'damaged');

for (const kind of ['a folder', 'S3'] as const) {
  describe(`objects in ${kind} that are missing or damaged`, () => {
    const directory = temporaryFolder();
    let database: TestDatabase;
    let s3: TestS3 | null = null;
    let core: TestCore;
    let worker: HttpWorker;
    let settings: Record<string, string>;
    let work: (ctx: PluginContext<unknown>) => Promise<void>;

    before(async () => {
      [database, worker, s3] = await Promise.all([
        createDatabase(),
        startHttpWorker(),
        kind === 'S3' ? startS3() : null,
      ]);
      settings = s3 === null ? { KW_OBJECT_DIR: directory } : s3Settings(s3, s3.endpoint);
      core = await startCore({
        plugins: [notePlugin((ctx) => work(ctx))],
        env: { KW_LOG_LEVEL: 'fatal', ...settings },
        database,
      });
      await core.call('POST', '/plugins', {
        id: 'far',
        name: 'Far',
        kind: 'http',
        endpoint: worker.endpoint,
      });
      const steps = { max_attempts: 5, backoff_seconds: 0.1 };
      await core.pipeline('noted', { plugin_id: 'note', ...steps });
      await core.pipeline('sent', { plugin_id: 'note', ...steps }, { plugin_id: 'far', ...steps });
      // From now on what is missing is known to be, for the store says that it is ours.
      const { objectStore } = core.deps;
      await eventually(async () => (await readOwner(objectStore)) !== null);
    });
    beforeEach(() => {
      work = async (ctx) => emitNote(ctx, (await ctx.source.buffer()).toString());
      worker.arrived.length = 0;
    });
    after(async () => {
      await core.stop();
      await worker.stop();
      await s3?.stop();
      await database.drop();
    });

    const damage = async (key: string, fault: Fault): Promise<void> => {
      const { objectStore } = core.deps;
      const bytes = await buffer((await objectStore.get(key)).stream);
      await objectStore.delete([key]);
      if (fault === 'missing') return;
      bytes[bytes.length - 1]! ^= 1;
      await objectStore.put(key, fault === 'flipped' ? bytes : bytes.subarray(0, -1));
    };
    const keyOf = async (table: 'resources' | 'artifacts', id: string): Promise<string> =>
      (await core.deps.db(table).where({ id }).first('object_key')).object_key;
    const made = async (type: string, bytes: number): Promise<Answer['body']> => {
      const { id } = await core.upload(type, 'x'.repeat(bytes));
      const resource = await core.settled(id);
      assert.equal(resource.status, 'COMPLETED', JSON.stringify(resource.error));
      return resource;
    };
    const isWhole = async (resource: Answer['body'], bytes: number): Promise<void> => {
      const [artifact] = resource.artifacts;
      const { status, body } = await core.call('GET', `/resources/${resource.id}/artifacts/${artifact.id}`);
      assert.deepEqual([status, body.content.length], [200, bytes]);
    };
    /** What "kw doctor" prints. */
    const diagnosis = async (databaseUrl: string): Promise<string> => {
      const lines: string[] = [];
      const { address, namespace } = core.deps.config.temporal;
      const temporal = { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace };
      const env = { DATABASE_URL: databaseUrl, KW_DATA_DIR: directory, ...temporal, ...settings };
      await doctor(env, { json: false }, (line) => lines.push(line));
      return lines.join('\n');
    };
    /** What "kw verify" prints, how many faults make it exit with 1, and the error that ends it. */
    const verdict = async (): Promise<{ lines: string[]; faults: number; error: string | null }> => {
      const lines: string[] = [];
      let faults = 0;
      const env = { DATABASE_URL: database.url, KW_DATA_DIR: directory, ...settings };
      const ended = verify(
        env,
        (line) => lines.push(line),
        () => (faults += 1),
      );
      const error = await ended.then(() => null, String);
      return { lines, faults, error };
    };
    const namesNoKey = (text: string): void =>
      assert.doesNotMatch(text, /resources\/[0-9a-f]|\.\/|object_key/);

    // What is checked is the same for every store: of the others it is enough to see each reason once.
    for (const { length, bytes, fault } of kind === 'S3' ? fewCombinations : combinations)
      it(`an artifact that is ${length} and ${fault} is rejected`, async () => {
        const resource = await made('noted', bytes);
        const [{ id }] = resource.artifacts;
        await damage(await keyOf('artifacts', id), fault);
        const answer = await fetch(`${core.base}/api/v1/resources/${resource.id}/artifacts/${id}`, {
          headers: { authorization: `Bearer ${core.adminKey}` },
        });
        if (length === 'long' && fault === 'flipped') await assert.rejects(answer.text());
        else {
          const text = await answer.text();
          const { error } = JSON.parse(text);
          assert.deepEqual(
            [answer.status, error.code, error.details],
            [500, 'ARTIFACT_UNREADABLE', { artifact_id: id, reason: reasonOf(fault) }],
          );
          assert.match(error.message, /Reprocess/);
          namesNoKey(text);
        }
      });

    it('are not looked for by "kw verify" in a store that is not the one of the database', async () => {
      const { objectStore } = core.deps;
      await made('noted', sizes.short);
      const owner = await readOwner(objectStore);
      await objectStore.delete([ownerKey]);
      const { lines, faults, error } = await verdict();
      await objectStore.put(ownerKey, Buffer.from(owner!));
      assert.deepEqual([lines, faults], [[], 0]);
      assert.match(
        error ?? '',
        /The object store is not the one .* has no object warehouse-id, but the database/,
      );
      assert.equal(/volume|mount|KW_OBJECT_DIR/i.test(error ?? ''), kind === 'a folder');
      assert.match(error ?? '', /KW_S3_BUCKET/);
    });

    it('are not replaced by the trial of "kw doctor" if the database has no tables', async () => {
      const empty = await createDatabase({ migrated: false });
      const said = await diagnosis(empty.url);
      await empty.drop();
      assert.match(said, /FAIL +object store .*its warehouse-id is .*, but the database has no tables/i);
    });

    if (kind === 'a folder') {
      it('an artifact that is damaged is repaired by a reprocess', async () => {
        const resource = await made('noted', sizes.short);
        await damage(await keyOf('artifacts', resource.artifacts[0].id), 'flipped');
        await core.call('POST', `/resources/${resource.id}/reprocess`);
        await isWhole(await core.settled(resource.id), sizes.short);
      });

      for (const { length, bytes, fault } of fewCombinations) {
        it(`a source that is ${length} and ${fault} fails the step at once`, async () => {
          const resource = await made('noted', bytes);
          await damage(await keyOf('resources', resource.id), fault);
          await core.call('POST', `/resources/${resource.id}/reprocess`);
          const { status, error, steps } = await core.settled(resource.id);
          assert.deepEqual(
            [status, error.code, error.step, steps[0].attempt],
            ['FAILED', 'SOURCE_UNREADABLE', 0, 1],
          );
          assert.match(error.message, new RegExp(`is ${reasonOf(fault)}\\. Upload the file again`));
          namesNoKey(JSON.stringify(error));
        });

        it(`an input that is ${length} and ${fault} fails the step of an HTTP worker at once`, async () => {
          const { id } = await core.upload('sent', 'x'.repeat(bytes));
          const seen: (string | number)[] = [];
          worker.handle = async ({ message }) => {
            const [input] = message.inputs;
            await damage(await keyOf('artifacts', input!.artifact_id), fault);
            for (const range of ['bytes=0-', `bytes=${bytes - 1}-`]) {
              const headers = {
                authorization: `Bearer ${message.callback.token}`,
                ...(seen.length > 0 && { range }),
              };
              const answer = await fetch(input!.url, { headers });
              seen.push(
                await answer.text().then(
                  (text) => (namesNoKey(text), `${answer.status} ${JSON.parse(text).error.code}`),
                  () => 'broken off',
                ),
              );
            }
            return { status: 500 };
          };
          const { status, error, steps } = await core.settled(id);
          assert.deepEqual(
            [status, error.code, error.step, steps[1].attempt],
            ['FAILED', 'ARTIFACT_UNREADABLE', 1, 1],
          );
          const first = length === 'long' && fault === 'flipped' ? 'broken off' : '500 ARTIFACT_UNREADABLE';
          assert.deepEqual(seen, [first, '409 ATTEMPT_CLOSED']);
        });
      }

      it('fail a plugin that ignores read errors', async () => {
        const resource = await made('noted', sizes.long);
        await damage(await keyOf('resources', resource.id), 'flipped');
        work = async (ctx) => {
          await ctx.source.buffer().catch(() => undefined);
          await emitNote(ctx, 'made of nothing');
        };
        await core.call('POST', `/resources/${resource.id}/reprocess`);
        assert.equal((await core.settled(resource.id)).error.code, 'SOURCE_UNREADABLE');
      });

      it('are found by "kw verify"', async () => {
        await core.deps.db('resources').delete();
        const kw = createKw({ DATABASE_URL: database.url, ...settings });
        const kept = await made('noted', sizes.long);
        const whole = await kw('verify');
        assert.equal(whole.code, 0, whole.stderr);
        assert.equal(whole.stdout, 'Checked 2 objects of 2097152 bytes: 0 missing, 0 damaged.\n');

        const lost = await made('noted', sizes.short);
        await damage(await keyOf('artifacts', kept.artifacts[0].id), 'flipped');
        await damage(await keyOf('resources', lost.id), 'missing');
        const { code, stdout } = await kw('verify');
        assert.equal(code, 1);
        assert.deepEqual(stdout.trim().split('\n').sort(), [
          'Checked 4 objects of 2099152 bytes: 1 missing, 1 damaged.',
          `damaged  resource ${kept.id}: the artifact note (${kept.artifacts[0].id})`,
          `missing  resource ${lost.id}: its source`,
        ]);
        namesNoKey(stdout);

        const unread = kw.start('verify');
        unread.child.stdout?.destroy();
        const ended = await unread.ended;
        assert.deepEqual([ended.code, ended.stderr], [1, '']);
      });

      it('are not considered missing while the store is away, and nothing is written in its place', async () => {
        const resource = await made('noted', sizes.short);
        const [data, away] = [join(directory, 'data'), join(directory, 'away')];
        renameSync(data, away);
        try {
          const [{ id }] = resource.artifacts;
          const isAway = async (message: RegExp): Promise<void> => {
            const read = await core.call('GET', `/resources/${resource.id}/artifacts/${id}`);
            const upload = await core.register('noted', new Uint8Array(10));
            for (const { status, body } of [read, upload])
              assert.deepEqual([status, body.error.code], [503, 'STORAGE_UNAVAILABLE']);
            // The answer of a moment ago may still be that for the state before.
            await eventually(async () => {
              const ready = (await (await fetch(`${core.base}/health/ready`)).json()) as Answer['body'];
              const { status, message: said } = ready.checks.object_store;
              return status === 'error' && message.test(said);
            });
          };
          const isRefused = async (message: RegExp, doctorSays: RegExp): Promise<void> => {
            const checked = core.deps.objectStore.check();
            await assert.rejects(checked, { code: 'STORAGE_UNAVAILABLE', message });
            await isAway(message);
            assert.match(await diagnosis(database.url), doctorSays);
          };
          await isAway(/not the one/);
          assert.ok(!existsSync(data));
          // What is mounted instead is not ours.
          mkdirSync(data);
          await isRefused(/not the one/, /FAIL +object store .*warehouse-id/);
          // A folder that was copied into a bucket with its "data/".
          mkdirSync(join(data, 'data'));
          copyFileSync(join(away, ownerKey), join(data, 'data', ownerKey));
          await isRefused(/below data\//, /FAIL +object store .*has data\/warehouse-id instead/i);
          rmSync(join(data, 'data'), { recursive: true });
          writeFileSync(join(data, ownerKey), 'another');
          await isRefused(/another installation/, /FAIL +object store .*its warehouse-id is another, /i);
          assert.deepEqual(readdirSync(data), [ownerKey]);
          rmSync(data, { recursive: true });
        } finally {
          renameSync(away, data);
        }
        await isWhole(resource, sizes.short);
      });
    }
  });
}
