import { setTimeout as pause } from 'node:timers/promises';
import type * as LanceDb from '@lancedb/lancedb';
import type { IndexWriter, NewChunk } from '../engine.js';
import { groupBy } from '../../../core/group-by.js';
import { loadLance } from './load.js';
import {
  chunksTable,
  connectTo,
  isConflict,
  isMissing,
  vectorsTable,
  type LanceLocation,
} from './location.js';
import { ofOlder, ofWrite } from './predicates.js';
import { chunksSchema, toChunksTable, toVectorsTable, vectorsSchema } from './rows.js';

/** How long readers of an older table version have to finish. */
const keepVersionsMs = 10 * 60_000;
const mostTries = 8;
/** Number of vectors from which an approximate index pays off; fewer are compared one by one. */
const manyVectors = 50_000;

/** Writes indexes to LanceDB. A concurrent writer, such as a process that was suspended, only causes retries. */
export function createLanceWriter(location: LanceLocation): IndexWriter {
  let connection: Promise<LanceDb.Connection> | null = null;
  const tables = new Map<string, LanceDb.Table>();

  const connect = async (): Promise<LanceDb.Connection> => {
    connection ??= connectTo(location, 'write');
    connection.catch(() => (connection = null));
    return await connection;
  };

  const openTable = async (name: string): Promise<LanceDb.Table> => {
    const kept = tables.get(name);
    if (kept !== undefined) return kept;
    const table = await (await connect()).openTable(name);
    tables.set(name, table);
    return table;
  };

  const openOrNull = async (name: string): Promise<LanceDb.Table | null> => {
    try {
      return await openTable(name);
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  };

  /** Runs work on a table and retries if another writer was faster. After any other error the table is reopened. */
  const withTable = async <T>(name: string, work: (table: LanceDb.Table) => Promise<T>): Promise<T> => {
    for (let tries = 1; ; tries++) {
      const table = await openTable(name);
      try {
        return await work(table);
      } catch (error) {
        tables.delete(name);
        if (!isConflict(error) || tries === mostTries) throw error;
        await pause(20 * 2 ** tries * Math.random());
      }
    }
  };

  const vectorTables = async (id: number): Promise<readonly string[]> => {
    const names = await (await connect()).tableNames({ limit: 1_000, startAfter: `vectors_${id}_` });
    return names.filter((name) => name.startsWith(`vectors_${id}_`));
  };

  const addVectors = async (id: number, write: number, chunks: readonly NewChunk[]): Promise<void> => {
    const withVector = chunks.filter(({ vector }) => vector !== null);
    for (const [dimensions, those] of groupBy(withVector, ({ vector }) => vector?.values.length ?? 0)) {
      const name = vectorsTable(id, dimensions);
      if ((await openOrNull(name)) === null) {
        const made = await (
          await connect()
        ).createEmptyTable(name, vectorsSchema(dimensions), {
          existOk: true,
        });
        const { Index } = await loadLance();
        await made.createIndex('resource_id', { config: Index.btree() });
        tables.set(name, made);
      }
      await withTable(name, (table) => table.add(toVectorsTable(those, write, dimensions)));
    }
  };

  const removeFromAll = async (id: number, predicate: string): Promise<void> => {
    if (predicate === 'false') return;
    for (const name of [...(await vectorTables(id)), chunksTable(id)])
      await withTable(name, (table) => table.delete(predicate));
  };

  return {
    async prepare(id) {
      const name = chunksTable(id);
      if ((await openOrNull(name)) === null)
        tables.set(name, await (await connect()).createEmptyTable(name, chunksSchema(), { existOk: true }));
      const isEmpty = await withTable(name, async (table) => (await table.countRows()) === 0);
      if (!isEmpty || (await vectorTables(id)).length > 0) return false;
      await withTable(name, addMissingIndexes);
      return true;
    },

    async add(id, write, chunks) {
      if (chunks.length === 0) return;
      await addVectors(id, write, chunks);
      const rows = await toChunksTable(chunks, write);
      await withTable(chunksTable(id), (table) => table.add(rows));
    },

    removeOlder: (id, resources) => removeFromAll(id, ofOlder(resources)),
    removeWrite: (id, write, resourceIds) => removeFromAll(id, ofWrite(write, resourceIds)),

    async countUnindexed(id) {
      return await withTable(chunksTable(id), async (table) => {
        const stats = await table.indexStats('words_idx');
        return stats?.numUnindexedRows ?? (await table.countRows());
      });
    },

    async optimize(id) {
      const cleanupOlderThan = new Date(Date.now() - keepVersionsMs);
      const failure = await withTable(chunksTable(id), async (table) => {
        try {
          await addMissingIndexes(table);
          await table.optimize({ cleanupOlderThan });
          return null;
        } catch (error) {
          if (isConflict(error)) throw error;
          // A rebuild replaces the old index together with its problems.
          await indexWords(table);
          return error;
        }
      });
      for (const name of await vectorTables(id)) {
        await withTable(name, async (table) => {
          const isIndexed = (await table.listIndices()).some(({ columns }) => columns.includes('vector'));
          if (!isIndexed && (await table.countRows()) >= manyVectors) {
            const { Index } = await loadLance();
            await table.createIndex('vector', { config: Index.ivfPq({ distanceType: 'cosine' }) });
          }
          await table.optimize({ cleanupOlderThan });
        });
      }
      return failure;
    },

    async drop(id) {
      for (const name of [...(await vectorTables(id)), chunksTable(id)]) {
        tables.delete(name);
        try {
          await (await connect()).dropTable(name);
        } catch (error) {
          if (!isMissing(error)) throw error;
        }
      }
    },

    close() {
      for (const table of tables.values()) table.close();
      tables.clear();
      void connection?.then((open) => open.close()).catch(() => undefined);
    },
  };
}

/** A process that ended while it made the table may have left it without them. */
async function addMissingIndexes(table: LanceDb.Table): Promise<void> {
  const indexed = (await table.listIndices()).flatMap(({ columns }) => columns);
  if (!indexed.includes('words')) await indexWords(table);
  if (indexed.includes('resource_id')) return;
  const { Index } = await loadLance();
  await table.createIndex('resource_id', { config: Index.btree() });
}

/** Rebuilds the full text index from the table. The words are already folded and split. */
async function indexWords(table: LanceDb.Table): Promise<void> {
  const { Index } = await loadLance();
  const asTheyAre = { lowercase: false, asciiFolding: false, stem: false, removeStopWords: false };
  const config = Index.fts({
    ...{ withPosition: true, baseTokenizer: 'whitespace', maxTokenLength: 300 },
    ...asTheyAre,
  });
  await table.createIndex('words', { config, replace: true });
}
