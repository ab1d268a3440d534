import { availableParallelism } from 'node:os';
import type * as LanceDb from '@lancedb/lancedb';
import { ServiceError } from '../../../core/errors.js';

/**
 * Sets environment variables that LanceDB reads when it is loaded. With fewer than three compute threads, the upkeep of
 * a full text index deadlocks (seen with 0.30), and LanceDB's own log would go to standard error, bypassing ours.
 */
export function prepareLance(): void {
  // oxlint-disable-next-line no-restricted-properties -- variables of LanceDB, which are set here, not read
  const { env } = process;
  env['LANCE_CPU_THREADS'] ??= String(Math.max(4, availableParallelism()));
  env['LANCEDB_LOG'] ??= 'off';
}

/** LanceDB is more than 100 MB of native code, so it is loaded only when used. Throws SEARCH_UNAVAILABLE without it. */
export async function loadLance(): Promise<typeof LanceDb> {
  prepareLance();
  try {
    return await import('#bundled/lancedb');
  } catch (cause) {
    const platform = `${process.platform} on ${process.arch}`;
    throw new ServiceError('SEARCH_UNAVAILABLE', `LanceDB does not run on ${platform}.`, {}, { cause });
  }
}
