import type { Table } from '@lancedb/lancedb';
import type { PluginLog } from '../sdk/index.js';

const everyMs = 60 * 60_000;
const everyWrites = 50;
/** Who reads an older version of the table has this long to end. */
const keepVersionsMs = 10 * 60_000;

/** Called after each write to a table, which `key` tells from others. Never throws. */
export type Housekeeping = (key: string, table: Table, log: PluginLog) => Promise<void>;

/**
 * Every write leaves a small file and an old version of the table behind, with the rows it deleted. This compacts the
 * files and removes versions older than ten minutes: with the first write of this process, then after 50 writes or an
 * hour. Another process doing the same at that moment is no harm.
 */
export function createHousekeeping(now: () => number = Date.now): Housekeeping {
  const tables = new Map<string, { writes: number; at: number }>();
  return async (key, table, log) => {
    const last = tables.get(key);
    if (last !== undefined && ++last.writes < everyWrites && now() - last.at < everyMs) return;
    tables.set(key, { writes: 0, at: now() });
    try {
      await table.optimize({ cleanupOlderThan: new Date(now() - keepVersionsMs) });
    } catch (error) {
      log.warn({ err: error }, 'the LanceDB table was not compacted; it is tried again later');
    }
  };
}
