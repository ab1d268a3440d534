import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mock } from 'node:test';
import { CreateMultipartUploadCommand, ListMultipartUploadsCommand } from '@aws-sdk/client-s3';
import { uuidv7 } from '../../core/ids.js';
import { discardObjects, forgetDiscarded, leaseDiscarded } from '../../storage/sweeps/discarded-objects.js';
import { claimStore, guardStore } from '../../storage/object-store/owner.js';
import { createFileObjectStore } from '../../storage/object-store/file.js';
import { createS3Client } from '../../storage/object-store/s3/client.js';
import { createS3ObjectStore } from '../../storage/object-store/s3/store.js';
import { newArtifactKey, newSourceKey } from '../../storage/object-store/store-artifacts.js';
import type { ObjectStore } from '../../storage/object-store/types.js';
import { sweepOrphans } from '../../storage/sweeps/orphans.js';
import { readRepairs } from '../../storage/sweeps/repairs.js';
import { createDatabase, type TestDatabase } from '../support/servers/postgres.js';
import { startApi } from '../support/service/api.js';
import { startS3, type TestS3 } from '../support/servers/s3.js';
import { temporaryFolder } from '../support/temporary.js';

interface Opened {
  readonly store: ObjectStore;
  /** Leaves what a process killed in the middle of an upload leaves. */
  abandonUpload(): Promise<void>;
  /** How many of those there are. */
  abandoned(): Promise<number>;
}

const soon = (): Date => new Date(Date.now() + 60_000);
const longAgo = (): Date => new Date(Date.now() - 60 * 60_000);

function orphansIn(name: string, open: () => Promise<Opened>): void {
  describe(`orphans in ${name}`, () => {
    let database: TestDatabase;
    let opened: Opened;
    let store: ObjectStore;

    before(async () => {
      [database, opened] = await Promise.all([createDatabase(), open()]);
      store = opened.store;
      await claimStore(database.db, store);
    });
    after(() => database.drop());

    /** Sweeps the store to its end in parts, and removes what was found. Returns how many parts there were. */
    const sweep = async (options: { before: Date; limit?: number }, db = database.db): Promise<number> => {
      let after: string | null = null;
      let turns = 0;
      do {
        after = await sweepOrphans(db, store, {
          after,
          limit: options.limit ?? 10_000,
          before: options.before,
        });
        turns++;
      } while (after !== null);
      const discarded = await leaseDiscarded(db, { limit: 10_000, leaseSeconds: 60 });
      await store.delete(discarded);
      await forgetDiscarded(db, discarded);
      return turns;
    };
    const keys = async (): Promise<string[]> => {
      const found: string[] = [];
      for await (const { key } of store.list('resources/')) found.push(key);
      return found.sort();
    };
    const put = async (key: string): Promise<string> => {
      await store.put(key, Buffer.from(key));
      return key;
    };
    const resource = async (status: string, object_key: string | null = null): Promise<string> => {
      const id = object_key?.split('/')[1] ?? uuidv7();
      await database
        .db('resources')
        .insert({ id, name: 'x', type: 'x', source_type: 'UPLOAD', status, object_key });
      return id;
    };

    it('are removed; referenced objects and those of active runs stay', async () => {
      const { db } = database;
      const source = await put(newSourceKey(uuidv7()));
      const id = await resource('COMPLETED', source);
      const owned = [source, await put(newArtifactKey(id)), await put(newArtifactKey(id))];
      const step = { resource_id: id, step_index: 0, plugin_id: 'p' };
      await db('artifacts').insert({
        ...step,
        id: uuidv7(),
        type: 'note',
        content_type: 'text',
        run: 1,
        current_run: 1,
        size_bytes: 1,
        object_key: owned[1],
      });
      await db('runs').insert({
        resource_id: id,
        run: 1,
        status: 'COMPLETED',
        workflow_id: 'w',
        source_ready: true,
      });
      await db('steps').insert({
        resource_id: id,
        run: 1,
        index: 0,
        plugin_id: 'p',
        kind: 'http',
        max_attempts: 1,
        backoff_seconds: 0,
        timeout_seconds: 1,
        status: 'COMPLETED',
      });
      const attempt = { resource_id: id, run: 1, step_index: 0 };
      await db('attempts').insert({ ...attempt, number: 1, max: 1, deadline: new Date() });
      await db('uploads').insert({
        ...attempt,
        attempt: 1,
        id: uuidv7(),
        type: 'note',
        content_type: 'text',
        object_key: owned[2],
      });
      const working = await put(newArtifactKey(await resource('PROCESSING')));
      const somebodyElses = await put('resources/of-somebody-else');

      const orphans = [
        await put(newSourceKey(uuidv7())),
        await put(newArtifactKey(id)),
        await put(newSourceKey(id)),
        await put(newArtifactKey(await resource('FAILED'))),
        ...(await Promise.all(Array.from({ length: 20 }, () => put(newArtifactKey(uuidv7()))))),
      ];
      const all = await keys();
      assert.equal(all.length, owned.length + orphans.length + 2);

      await sweep({ before: longAgo() });
      assert.deepEqual(await keys(), all, 'what is young stays');

      assert.equal(await sweep({ before: soon(), limit: 7 }), Math.floor(all.length / 7) + 1);
      assert.deepEqual(await keys(), [...owned, working, somebodyElses].sort());
      assert.equal((await readRepairs(db)).object_removed, orphans.length);
    });

    it('are searched for after the key where the last round stopped, whether it still exists or not', async () => {
      const before = await keys();
      const made = await Promise.all(Array.from({ length: 9 }, () => put(newArtifactKey(uuidv7()))));
      const listed: string[] = [];
      for await (const { key } of store.list('resources/')) listed.push(key);
      assert.equal(listed.length, before.length + made.length);
      for (const [index, key] of listed.entries()) {
        const rest: string[] = [];
        if (index % 2 === 0) await store.delete([key]);
        for await (const object of store.list('resources/', { after: key })) rest.push(object.key);
        assert.deepEqual(rest, listed.slice(index + 1));
        if (index % 2 === 0) await put(key);
      }
      await sweep({ before: soon() });
      assert.deepEqual(await keys(), before);
    });

    it('that are already marked for removal are not counted again', async () => {
      const { db } = database;
      const counted = (await readRepairs(db)).object_removed;
      const key = await put(newArtifactKey(uuidv7()));
      await discardObjects(db, [key]);
      await sweep({ before: soon() });
      assert.equal((await readRepairs(db)).object_removed, counted);
    });

    it('may be unfinished uploads', async () => {
      await opened.abandonUpload();
      assert.equal(await opened.abandoned(), 1);
      await sweep({ before: longAgo() });
      assert.equal(await opened.abandoned(), 1);
      await sweep({ before: soon() });
      assert.equal(await opened.abandoned(), 0);
      assert.equal((await readRepairs(database.db)).upload_aborted, 1);
    });

    it('are not searched for, and nothing is written or removed, in a store that belongs to another database', async () => {
      const other = await createDatabase();
      try {
        const left = await keys();
        assert.ok(left.length > 0);
        const refused = { code: 'STORAGE_UNAVAILABLE', message: /belongs to another installation/ };
        await assert.rejects(sweep({ before: soon() }, other.db), refused);
        await assert.rejects(
          guardStore(store, other.db).put(newSourceKey(uuidv7()), Buffer.from('x')),
          refused,
        );
        await assert.rejects(guardStore(store, other.db).delete(left), refused);
        assert.deepEqual(await keys(), left);
      } finally {
        await other.drop();
      }
    });
  });
}

orphansIn('a folder', async () => {
  const directory = temporaryFolder();
  const store = createFileObjectStore({ directory });
  await store.create();
  const path = join(directory, 'tmp', 'half-written');
  return {
    store,
    async abandonUpload() {
      await writeFile(path, 'half');
    },
    abandoned: () => Promise.resolve(existsSync(path) ? 1 : 0),
  };
});

it('are not seen in new objects by a process whose clock is days ahead', async () => {
  const api = await startApi();
  try {
    const { db, objectStore, sweeps } = api.deps;
    await objectStore.put(newArtifactKey(uuidv7()), Buffer.from('new'));
    const inDays = Date.now() + 3 * 24 * 60 * 60_000;
    mock.method(Date, 'now', () => inDays);
    const sweep = sweeps.find(({ name }) => name === 'orphan objects');
    await sweep!.run(new AbortController().signal);
    assert.ok((await db('sweeps').where({ name: 'orphan objects' })).length > 0);
    assert.deepEqual(await db('discarded_objects'), []);
  } finally {
    mock.restoreAll();
    await api.stop();
  }
});

describe('with S3', () => {
  let s3: TestS3;
  before(async () => {
    s3 = await startS3();
  });
  after(() => s3.stop());

  orphansIn('S3', () => {
    const client = createS3Client(s3);
    const Bucket = s3.bucket;
    const ofAnother = 'of-another-application/file';
    return Promise.resolve({
      store: createS3ObjectStore(s3),
      async abandonUpload() {
        for (const Key of [newSourceKey(uuidv7()), ofAnother])
          await client.send(new CreateMultipartUploadCommand({ Bucket, Key }));
      },
      async abandoned() {
        const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket }));
        const ours = Uploads.filter(({ Key }) => Key !== ofAnother);
        assert.equal(Uploads.length - ours.length, 1, 'the upload of another application stays');
        return ours.length;
      },
    });
  });
});
