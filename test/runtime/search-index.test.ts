import assert from 'node:assert/strict';
import { once } from 'node:events';
import { cpSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join, relative, sep } from 'node:path';
import { pino } from 'pino';
import { createUpkeep } from '../../activities/search/upkeep.js';
import { writeBatch } from '../../activities/search/write-batch.js';
import { ServiceError } from '../../core/errors.js';
import { createLogger } from '../../runtime/logging/logger.js';
import type { IndexWriter, NewChunk } from '../../runtime/search/engine.js';
import { loadLance } from '../../runtime/search/lance/load.js';
import {
  chunksTable,
  connectTo,
  isTimeout,
  lanceLocation,
  vectorsTable,
  type LanceLocation,
} from '../../runtime/search/lance/location.js';
import { createLanceEngine } from '../../runtime/search/lance/reader.js';
import { createLanceWriter } from '../../runtime/search/lance/writer.js';
import {
  beginIndex,
  listLiveIndexes,
  nextWrite,
  renewIndex,
  retireIndex,
  type SearchIndex,
} from '../../storage/search/indexes.js';
import { eventually } from '../support/eventually.js';
import { startHttpsProxy } from '../support/network/tls-proxies.js';
import { isFull } from '../support/full.js';
import { seededRandom } from '../support/models/random.js';
import { createAuthority } from '../support/servers/authority.js';
import { createDatabase } from '../support/servers/postgres.js';
import { temporaryFolder } from '../support/temporary.js';

const locationIn = (folder: string): LanceLocation => ({ uri: folder, isFolder: true, storageOptions: {} });

const chunkOf = (resource_id: string, text: string, index = 0): NewChunk => ({
  ...{ resource_id, run: 1, index, start: null, end: null, page_start: null, page_end: null },
  ...{ headings: [], text, vector: null },
});

/** Resources with these words one after the other. */
async function find(
  folder: string,
  version: number,
  indexed_writes: number,
  words: readonly string[],
): Promise<readonly string[]> {
  const engine = createLanceEngine(locationIn(folder));
  try {
    const reader = await engine.open({ id: 1, version, indexed_writes });
    const [any, phrase] = await Promise.all([
      reader.rankTerms(words, { limit: 10_000, resourceIds: null }),
      reader.rankPhrase({ words, letters: words, terms: null }, { limit: 10_000, resourceIds: null }),
    ]);
    const ids = any.map((hit) => hit.resource_id).sort();
    assert.deepEqual(phrase.map((hit) => hit.resource_id).sort(), ids, 'phrases find the same');
    return ids;
  } finally {
    engine.close();
  }
}

describe('a LanceDB index', () => {
  let folder: string;
  let writer: IndexWriter;
  beforeEach(async () => {
    folder = temporaryFolder();
    writer = createLanceWriter(locationIn(folder));
    await writer.prepare(1);
  });
  afterEach(() => writer.close());

  it('cannot be opened without a folder for temporary files, and can with one', async () => {
    await writer.add(1, 1, [chunkOf('kept', 'all words')]);
    const temporary = process.env['TMPDIR'];
    process.env['TMPDIR'] = join(folder, 'nowhere');
    try {
      await assert.rejects(find(folder, 1, 0, ['all', 'words']), { code: 'SEARCH_UNAVAILABLE' });
    } finally {
      if (temporary === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = temporary;
    }
    assert.deepEqual(await find(folder, 1, 0, ['all', 'words']), ['kept']);
  });

  it('names the remedy if LanceDB does not trust its S3 server', async () => {
    const { certificate } = await createAuthority();
    const proxy = await startHttpsProxy({ certificate, target: () => 'http://127.0.0.1:1' });
    const s3 = {
      ...{ endpoint: `https://${proxy.address}`, region: 'us-east-1', bucket: 'kw', forcePathStyle: true },
      ...{ accessKeyId: 'id', secretAccessKey: 'secret', timeoutSeconds: 10 },
    };
    const location = lanceLocation({ searchUri: 'lancedb:s3://kw/search', dataDir: folder, s3 });
    const storageOptions = { ...location.storageOptions, client_max_retries: '0' };
    const refusal = { code: 'SEARCH_UNAVAILABLE', message: /is not trusted: set SSL_CERT_FILE / };
    try {
      await assert.rejects(connectTo({ ...location, storageOptions }, 'read'), refusal);
    } finally {
      await proxy.stop();
    }
  });

  it('is not called missing if its S3 server refuses the key or the connection, or has an error', async () => {
    let [status, code, text] = [0, '', ''];
    const server = createServer((_request, response) => {
      response.writeHead(status, { 'content-type': 'application/xml' });
      response.end(
        `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${text}</Message></Error>`,
      );
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const s3 = {
      ...{ endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, region: 'us-east-1' },
      ...{ bucket: 'kw-test', forcePathStyle: true, timeoutSeconds: 10 },
      ...{ accessKeyId: 'id', secretAccessKey: 'secret' },
    };
    const location = lanceLocation({ searchUri: 'lancedb:s3://kw-test/search', dataDir: folder, s3 });
    const storageOptions = { ...location.storageOptions, client_max_retries: '0' };
    const engine = createLanceEngine({ ...location, storageOptions });
    const isSaid = async (message: string): Promise<void> => {
      const opened = engine.open({ id: 1, version: 1, indexed_writes: 0 });
      await assert.rejects(opened, { code: 'SEARCH_UNAVAILABLE', message });
    };
    try {
      [status, code] = [403, 'InvalidAccessKeyId'];
      text = 'The AWS Access Key Id you provided does not exist in our records.';
      await isSaid('The storage of the search index refuses access.');
      const answers = [
        [500, 'InternalError', 'The upstream was not found.'],
        [404, 'NoSuchBucket', 'The specified bucket does not exist'],
      ] as const;
      for ([status, code, text] of answers) await isSaid('The storage of the search index cannot be used.');
      server.close();
      server.closeAllConnections();
      await isSaid('The storage of the search index does not answer.');
    } finally {
      server.close();
      engine.close();
    }
  });

  it('is updated after every mix of writes and removals', async () => {
    const random = seededRandom(7);
    const live = new Set<string>();
    let write = 0;
    for (let round = 0; round < (isFull ? 60 : 12); round++) {
      const added = Array.from({ length: 5 }, (_, at) => `r${round}-${at}`);
      // A word of its own each: removals take words from the index, which LanceDB 0.30 miscounted.
      const chunks = added.map((id) => chunkOf(id, `all words and own${id.replace('-', 'x')}`));
      await writer.add(1, ++write, chunks);
      for (const id of added) live.add(id);
      const gone = [...live].filter(() => random() < 0.4);
      await writer.removeOlder(
        1,
        gone.map((resource_id) => ({ resource_id, write: null })),
      );
      for (const id of gone) live.delete(id);
      assert.equal(await writer.optimize(1), null, `round ${round}`);
      assert.equal(await writer.countUnindexed(1), 0);
    }
    assert.deepEqual(await find(folder, write, write, ['all', 'words']), [...live].sort());
  });

  it('is unavailable or complete, but never answers in part, with any of its files removed or truncated', async () => {
    for (const [write, id] of ['a', 'b', 'c', 'd'].entries())
      await writer.add(1, write + 1, [chunkOf(id, `all words of ${id}`)]);
    await writer.removeOlder(1, [{ resource_id: 'd', write: null }]);
    await writer.optimize(1);
    await writer.add(1, 5, [chunkOf('e', 'all words not indexed yet')]);
    await writer.removeOlder(1, [{ resource_id: 'a', write: null }]);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
    const kindOf = (file: string): string =>
      `${dirname(file).split(sep)[1]} ${basename(file).replace(/^[\da-f-]{8,}/, '')}`;
    const kinds = [...new Map(files.map((file) => [kindOf(file), file])).values()];
    const outcomes = new Set<string>();
    for (const file of isFull ? files : kinds) {
      for (const damage of ['remove', 'cut', 'empty'] as const) {
        const copy = temporaryFolder();
        cpSync(folder, copy, { recursive: true });
        const path = join(copy, file);
        if (damage === 'remove') rmSync(path);
        else truncateSync(path, damage === 'empty' ? 0 : Math.floor(statSync(path).size / 2));
        try {
          assert.deepEqual(await find(copy, 5, 4, ['all', 'words']), ['b', 'c', 'e'], `${damage} ${file}`);
          outcomes.add('complete');
        } catch (error) {
          if (!(error instanceof ServiceError)) throw error;
          assert.equal(error.code, 'SEARCH_UNAVAILABLE');
          outcomes.add('unavailable');
        }
        rmSync(copy, { recursive: true });
      }
    }
    assert.deepEqual([...outcomes].sort(), ['complete', 'unavailable']);
  });

  it('gets the indexes that are missing since its creation was interrupted', async () => {
    const dropIndex = async (): Promise<void> => {
      const connection = await connectTo(locationIn(folder), 'write');
      await (await connection.openTable(chunksTable(1))).dropIndex('words_idx');
      connection.close();
      writer.close();
      writer = createLanceWriter(locationIn(folder));
    };
    await dropIndex();
    await writer.prepare(1);
    await writer.add(1, 1, [chunkOf('a', 'all words')]);
    assert.deepEqual(await find(folder, 1, 0, ['all', 'words']), ['a']);
    await dropIndex();
    assert.equal(await writer.countUnindexed(1), 1, 'so that upkeep is due');
    assert.equal(await writer.optimize(1), null);
    assert.equal(await writer.countUnindexed(1), 0);
    assert.deepEqual(await find(folder, 2, 1, ['all', 'words']), ['a']);
  });

  it('leaves turns to other work while it splits long texts into words', async () => {
    const text = '利用者は資料を自由に閲覧することができる。'.repeat(2_000);
    const long = ['a', 'b', 'c'].map((id) => chunkOf(id, text));
    /** The longest time in which nothing else ran, as a part of the whole. */
    const longestPart = async (write: number): Promise<number> => {
      const begun = performance.now();
      let [last, longest] = [begun, 0];
      const look = (): void => {
        const now = performance.now();
        [last, longest] = [now, Math.max(longest, now - last)];
      };
      const watch = setInterval(look, 5);
      await writer.add(1, write, long);
      clearInterval(watch);
      look();
      return longest / (performance.now() - begun);
    };
    // A busy machine makes pauses of its own.
    const parts: number[] = [];
    while (parts.length < 10 && !parts.some((part) => part < 1 / 4))
      parts.push(await longestPart(parts.length + 1));
    assert.ok(Math.min(...parts) < 1 / 4, String(parts));
  });

  it('finds the vectors of one resource however far they are from the query', async () => {
    const random = seededRandom(11);
    const dimensions = 16;
    const space = { dimensions, model: 'm' };
    const query = Array.from({ length: dimensions }, (_, at) => (at === 0 ? 1 : 0));
    const vectorOf = (first: number): Float32Array =>
      Float32Array.from({ length: dimensions }, (_, at) => (at === 0 ? first : random() - 0.5));
    const withVector = (id: string, index: number, values: Float32Array): NewChunk => ({
      ...chunkOf(id, 'a text', index),
      vector: { model: space.model, values },
    });
    const many = Array.from({ length: 2_000 }, (_, at) => withVector('many', at, vectorOf(random() * 2 - 1)));
    const few = Array.from({ length: 3 }, (_, at) => withVector('few', at, vectorOf(-3)));
    await writer.add(1, 1, [...many, ...few]);
    // A table of hundreds of thousands of vectors has more than 20 partitions.
    const connection = await connectTo(locationIn(folder), 'write');
    const { Index } = await loadLance();
    const config = Index.ivfPq({ distanceType: 'cosine', numPartitions: 64 });
    await (await connection.openTable(vectorsTable(1, dimensions))).createIndex('vector', { config });
    connection.close();

    const engine = createLanceEngine(locationIn(folder));
    try {
      const reader = await engine.open({ id: 1, version: 1, indexed_writes: 1 });
      const found = await reader.rankVectors(query, space, { limit: 10, resourceIds: ['few'] });
      assert.deepEqual(found.map(({ index }) => index).sort(), [0, 1, 2]);
      const near = await reader.rankVectors(query, space, { limit: 10, resourceIds: null });
      assert.deepEqual(new Set(near.map((hit) => hit.resource_id)), new Set(['many']));
    } finally {
      engine.close();
    }
  });

  it('is reopened after an error, but not because of those of searches that began before', async () => {
    await writer.add(1, 1, [chunkOf('a', 'all words')]);
    let connections = 0;
    const location = {
      ...locationIn(folder),
      get uri() {
        connections++;
        return folder;
      },
    };
    const state = { id: 1, version: 1, indexed_writes: 0 };
    const engine = createLanceEngine(location);
    try {
      const reader = await engine.open(state);
      for (let errors = 1; errors <= 3; errors++) {
        const missing = { dimensions: errors, model: 'm' };
        const search = reader.rankVectors([1], missing, { limit: 1, resourceIds: null });
        await assert.rejects(search, { code: 'SEARCH_UNAVAILABLE' });
        await engine.open(state);
        assert.equal(connections, 2);
      }
    } finally {
      engine.close();
    }
    const connection = await connectTo(locationIn(folder), 'read');
    const table = await connection.openTable(chunksTable(1));
    await assert.rejects(table.query().toArray({ timeoutMs: 0 }), isTimeout);
    connection.close();
  });

  it('protects newer data from a process that was frozen', async () => {
    await writer.add(1, 1, [chunkOf('a', 'from the frozen one')]);
    await writer.add(1, 2, [chunkOf('a', 'from the later one')]);
    await writer.removeOlder(1, [{ resource_id: 'a', write: 2 }]);
    await writer.removeOlder(1, [{ resource_id: 'a', write: 1 }]);
    assert.deepEqual(await find(folder, 2, 0, ['later']), ['a']);
    assert.deepEqual(await find(folder, 2, 0, ['frozen']), []);
  });

  it('is written in parts of limited length', async () => {
    const database = await createDatabase();
    const { db } = database;
    try {
      await beginIndex(db, { uri: folder, format: 1, state: 'CURRENT' });
      const [index] = (await listLiveIndexes(db)) as [SearchIndex];
      const resource_id = '00000000-0000-7000-8000-000000000001';
      const texts = [...Array.from({ length: 2_001 }, () => 'short'), 'x'.repeat(5_000_000), 'short'];
      const source = { resource_id, run: 1, kind: null, artifact_id: null, content: null, vectors: null };
      const chunks = texts.map((text, at) => chunkOf(resource_id, text, at));
      const parts: number[][] = [];
      const add: IndexWriter['add'] = (_id, _write, part) => {
        parts.push(part.map((chunk) => chunk.index));
        return Promise.resolve();
      };
      const deps = { db, writer: { ...writer, add }, assertOurs: () => undefined, isLost: () => false };
      await writeBatch(deps, index, [{ resource_id, source, chunks, error: null, isRepeated: false }]);
      assert.deepEqual(
        parts.map(({ length }) => length),
        [2_000, 1, 1, 1],
      );
      assert.deepEqual(parts.flat(), [...texts.keys()], 'each chunk once, in order');
    } finally {
      await database.drop();
    }
  });

  it('keeps its tables if they were empty when a process that was frozen then looked', async () => {
    const database = await createDatabase();
    const { db } = database;
    try {
      await beginIndex(db, { uri: folder, format: 1, state: 'CURRENT' });
      const [{ id }] = (await listLiveIndexes(db)) as [SearchIndex];
      assert.equal(await writer.prepare(id), true);
      await writer.add(id, await nextWrite(db, id), [chunkOf('a', 'some words')]);
      assert.equal(await writer.prepare(id), false);
      assert.equal(await renewIndex(db, id), false);
      assert.deepEqual(
        (await listLiveIndexes(db)).map((index) => [index.id, index.writes]),
        [[id, 1]],
      );
    } finally {
      await database.drop();
    }
  });

  it('is removed once it is retired, although the disk is too full for upkeep of the current one', async () => {
    const database = await createDatabase();
    const { db } = database;
    const full: IndexWriter['optimize'] = () => Promise.reject(new Error('No space left on device'));
    const logged: { msg: string; uri?: string }[] = [];
    const log = pino({ level: 'warn' }, { write: (line) => logged.push(JSON.parse(line)) });
    const upkeep = createUpkeep(db, { ...writer, optimize: full }, folder, log);
    const ids: number[] = [];
    try {
      for (const uri of [folder, '/elsewhere']) {
        await beginIndex(db, { uri, format: 1, state: 'CURRENT' });
        const [{ id }] = (await listLiveIndexes(db)) as [SearchIndex];
        ids.push(id);
        await writer.prepare(id);
        await retireIndex(db, id);
      }
      await db('search_indexes').update({ retired_at: db.raw("now() - interval '1 hour'") });
      await beginIndex(db, { uri: folder, format: 1, state: 'CURRENT' });
      upkeep.afterRound(await listLiveIndexes(db), 1);
      await upkeep.idle();
      const [ours, other] = ids.map((id) => `chunks_${id}.lance`);
      assert.ok(!readdirSync(folder).includes(ours!));
      assert.ok(readdirSync(folder).includes(other!), 'it may be of another database');
      const [{ msg, uri }] = logged as [(typeof logged)[0]];
      assert.deepEqual([msg.includes(`delete ${other}`), uri], [true, '/elsewhere'], msg);
      const left = await db('search_indexes').select('state', 'upkeep_failing_since');
      assert.deepEqual(
        left.map(({ state }) => state),
        ['CURRENT'],
      );
      assert.notEqual(left[0].upkeep_failing_since, null);
    } finally {
      await database.drop();
    }
  });

  it('is recorded as up to date although a write arrived while it was optimized', async () => {
    const database = await createDatabase();
    const { db } = database;
    try {
      await beginIndex(db, { uri: folder, format: 1, state: 'CURRENT' });
      const [{ id }] = (await listLiveIndexes(db)) as [SearchIndex];
      await writer.prepare(id);
      const write = async (resource: string): Promise<void> =>
        writer.add(id, await nextWrite(db, id), [chunkOf(resource, 'some words')]);
      let isFirst = true;
      const upkeep = createUpkeep(
        db,
        {
          ...writer,
          async optimize(index) {
            if (isFirst) await write('during');
            isFirst = false;
            return await writer.optimize(index);
          },
        },
        folder,
        createLogger({ logLevel: 'silent', logFormat: 'json' }),
      );
      await write('before');
      upkeep.afterRound(await listLiveIndexes(db), 1);
      await upkeep.idle();
      assert.equal(await writer.countUnindexed(id), 0);
      await eventually(async () => {
        const [index] = (await listLiveIndexes(db)) as [SearchIndex];
        upkeep.afterRound([index], 0);
        return index.writes === 2 && index.indexed_writes === 2;
      });
      await upkeep.idle();
    } finally {
      await database.drop();
    }
  });
});
