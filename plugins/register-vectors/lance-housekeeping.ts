import type { Table } from '@lancedb/lancedb';
import type { PluginLog } from '../sdk/index.js';

const everyMs = 60 * 60_000;
const everyWrites = 50;
/** Who reads an older version of the table has this long to end. */
const keepVersionsMs = 10 * 60_000;

/** Keeps the tables of this process in order; `key` tells one from others. */
export interface Housekeeping {
  /** Is called after each write. Never throws. */
  wrote(key: string, table: Table, log: PluginLog): Promise<void>;
  /** Is called after rows were deleted: once nobody reads them any more, their bytes leave the disk. */
  deleted(key: string, open: () => Promise<Table | null>, log: PluginLog): void;
}

/**
 * Every write leaves a small file and an old version of the table behind, with the rows it deleted. This compacts the
 * files and removes versions older than ten minutes: with the first write of this process, then after 50 writes or an
 * hour, and ten minutes after rows were deleted. Another process doing the same at that moment is no harm.
 */
export function createHousekeeping(
  now: () => number = Date.now,
  afterDeletionMs = keepVersionsMs + 60_000,
): Housekeeping {
  const tables = new Map<string, { writes: number; at: number }>();
  const due = new Set<string>();

  const compact = async (table: Table, log: PluginLog): Promise<void> => {
    try {
      await table.optimize({ cleanupOlderThan: new Date(now() - keepVersionsMs) });
    } catch (error) {
      log.warn({ err: error }, 'the LanceDB table was not compacted; it is tried again later');
    }
  };

  return {
    async wrote(key, table, log) {
      const last = tables.get(key);
      if (last !== undefined && ++last.writes < everyWrites && now() - last.at < everyMs) return;
      tables.set(key, { writes: 0, at: now() });
      await compact(table, log);
    },

    deleted(key, open, log) {
      if (due.has(key)) return;
      due.add(key);
      const later = async (): Promise<void> => {
        due.delete(key);
        const table = await open();
        if (table === null) return;
        await compact(table, log);
        table.close();
      };
      // A process that ends before leaves it to the next one's first write.
      setTimeout(() => {
        later().catch((error: unknown) => log.warn({ err: error }, 'the LanceDB table was not compacted'));
      }, afterDeletionMs).unref();
    },
  };
}
