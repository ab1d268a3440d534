import { availableParallelism } from 'node:os';
import type * as LanceDb from '@lancedb/lancedb';
import { ServiceError } from '../../../core/errors.js';

/**
 * Sets what LanceDB reads from the environment when it is loaded: with fewer than three threads for computations, the upkeep
 * of a full text index waits for itself without end (seen with 0.30), and its own log would go to standard error, past ours.
 */
export function prepareLance(): void {
  // oxlint-disable-next-line no-restricted-properties -- it is LanceDB's, and set, not read
  const { env } = process;
  env['LANCE_CPU_THREADS'] ??= String(Math.max(4, availableParallelism()));
  env['LANCEDB_LOG'] ??= 'off';
}

/**
 * LanceDB is more than 100 MB of native code, so it is loaded only when used. Throws SEARCH_UNAVAILABLE if it
 * is missing.
 */
export async function loadLance(): Promise<typeof LanceDb> {
  prepareLance();
  try {
    return await import('#bundled/lancedb');
  } catch (cause) {
    const platform = `${process.platform} on ${process.arch}`;
    throw new ServiceError('SEARCH_UNAVAILABLE', `LanceDB does not run on ${platform}.`, {}, { cause });
  }
}
