import type { Table } from '@lancedb/lancedb';

const everyMs = 60 * 60_000;
const everyWrites = 50;
/** Who reads an older version of the table has this long to end. */
const keepVersionsMs = 10 * 60_000;

/** Is told what LanceDB threw when a table was not compacted, which may quote secrets. */
type OnFailure = (error: unknown) => void;

/** Keeps the tables of this process in order; `key` tells one from others. */
export interface Housekeeping {
  /** Is called after each write. Never throws. */
  wrote(key: string, table: Table, onFailure: OnFailure): Promise<void>;
  /** Is called after rows were deleted: once nobody reads them any more, their bytes leave the disk. */
  deleted(key: string, open: () => Promise<Table | null>, onFailure: OnFailure): void;
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

  const compact = async (table: Table, onFailure: OnFailure): Promise<void> => {
    try {
      await table.optimize({ cleanupOlderThan: new Date(now() - keepVersionsMs) });
    } catch (error) {
      onFailure(error);
    }
  };

  return {
    async wrote(key, table, onFailure) {
      const last = tables.get(key);
      if (last !== undefined && ++last.writes < everyWrites && now() - last.at < everyMs) return;
      tables.set(key, { writes: 0, at: now() });
      await compact(table, onFailure);
    },

    deleted(key, open, onFailure) {
      if (due.has(key)) return;
      due.add(key);
      const later = async (): Promise<void> => {
        due.delete(key);
        const table = await open();
        if (table === null) return;
        await compact(table, onFailure);
        table.close();
      };
      // A process that ends before leaves it to the next one's first write.
      setTimeout(() => {
        later().catch(onFailure);
      }, afterDeletionMs).unref();
    },
  };
}
