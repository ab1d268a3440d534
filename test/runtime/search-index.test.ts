import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { IndexWriter, NewChunk } from '../../runtime/search/engine.js';
import { loadLance } from '../../runtime/search/lance/load.js';
import type { LancePlace } from '../../runtime/search/lance/place.js';
import { createLanceEngine } from '../../runtime/search/lance/reader.js';
import { createLanceWriter } from '../../runtime/search/lance/writer.js';
import { isFull } from '../support/full.js';
import { seededRandom } from '../support/random.js';
import { temporaryFolder } from '../support/temporary.js';

const placeIn = (folder: string): LancePlace => ({ uri: folder, isFolder: true, storageOptions: {} });

const chunkOf = (resource_id: string, text: string, index = 0): NewChunk => ({
  ...{ resource_id, run: 1, index, start: null, end: null, page_start: null, page_end: null },
  ...{ headings: [], text, vector: null },
});

async function find(folder: string, version: number, words: readonly string[]): Promise<readonly string[]> {
  const engine = createLanceEngine(placeIn(folder));
  try {
    const reader = await engine.open({ id: 1, version, indexed_writes: version });
    const [any, phrase] = await Promise.all([
      reader.rankTerms(words, { limit: 10_000, resourceIds: null }),
      reader.rankPhrase(words, { limit: 10_000, resourceIds: null }),
    ]);
    const ids = any.map((hit) => hit.resource_id).sort();
    assert.deepEqual(phrase.map((hit) => hit.resource_id).sort(), ids, 'phrases find the same');
    return ids;
  } finally {
    engine.close();
  }
}

describe('an index in LanceDB', () => {
  let folder: string;
  let writer: IndexWriter;
  beforeEach(async () => {
    folder = temporaryFolder();
    writer = createLanceWriter(placeIn(folder));
    await writer.prepare(1);
  });
  afterEach(() => writer.close());

  it('is brought up to date after every mix of writes and removals', async () => {
    const random = seededRandom(7);
    const live = new Set<string>();
    let write = 0;
    for (let round = 0; round < (isFull ? 200 : 12); round++) {
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
    assert.deepEqual(await find(folder, write, ['all', 'words']), [...live].sort());
  });

  it('is made anew where its full text index is lost, and whole again', async () => {
    await writer.add(1, 1, [chunkOf('a', 'all words')]);
    await writer.optimize(1);
    const { connect } = await loadLance();
    const table = await (await connect(folder)).openTable('chunks_1');
    const { readdirSync, rmSync } = await import('node:fs');
    const indexes = join(folder, 'chunks_1.lance', '_indices');
    for (const name of readdirSync(indexes)) rmSync(join(indexes, name), { recursive: true });
    table.close();
    const other = createLanceWriter(placeIn(folder));
    await other.add(1, 2, [chunkOf('b', 'all words')]);
    await other.optimize(1);
    assert.deepEqual(await find(folder, 2, ['all', 'words']), ['a', 'b']);
    other.close();
  });

  it('keeps what is newer from a process that was frozen', async () => {
    await writer.add(1, 1, [chunkOf('a', 'from the frozen one')]);
    await writer.add(1, 2, [chunkOf('a', 'from the later one')]);
    await writer.removeOlder(1, [{ resource_id: 'a', write: 2 }]);
    await writer.removeOlder(1, [{ resource_id: 'a', write: 1 }]);
    assert.deepEqual(await find(folder, 2, ['later', 'one']), ['a']);
    assert.deepEqual(await find(folder, 2, ['frozen', 'one']), ['a'].filter(() => false));
  });
});
