import type { Table } from '@lancedb/lancedb';

const everyMs = 60 * 60_000;
const everyWrites = 50;
/** How long an old version of the table stays readable. */
const keepVersionsMs = 10 * 60_000;

/** Receives the error when a table could not be compacted. Its message may contain secrets. */
type OnFailure = (error: unknown) => void;

/** Compacts the tables of this process; `key` identifies a table. */
export interface Housekeeping {
  /** Must be called after each write. Never throws. */
  wrote(key: string, table: Table, onFailure: OnFailure): Promise<void>;
  /** Must be called after rows were deleted. Their bytes leave the disk once old versions have expired. */
  deleted(key: string, open: () => Promise<Table | null>, onFailure: OnFailure): void;
}

/**
 * Every write leaves a small file and an old version of the table, including deleted rows. This compacts the files and
 * removes versions older than ten minutes: with the first write of this process, then after 50 writes or an hour, and
 * ten minutes after rows were deleted. Other processes may do the same at the same time.
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
      // If this process ends earlier, the first write of the next process does it.
      setTimeout(() => {
        later().catch(onFailure);
      }, afterDeletionMs).unref();
    },
  };
}
