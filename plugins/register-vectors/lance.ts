import { clip, messageOf } from '@knowledge-warehouse/plugin/protocol';
import { access, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type * as LanceDb from '@lancedb/lancedb';
import { callEndpoint, NoAnswer } from '../call-endpoint.js';
import { PluginFailure } from '@knowledge-warehouse/plugin';
import type { LanceAddress } from './address.js';
import type { RegisterVectorsConfig } from './config.js';
import { createTable } from './lance-table.js';
import type { Housekeeping } from './lance-housekeeping.js';
import { dimensionsDiffer, unavailable, type StoreHost, type VectorStore } from './store.js';

const batch = { rows: 4096, bytes: 32 * 1024 * 1024 };
const maxTries = 10;
const probeSeconds = 10;

/** Creates a store for a LanceDB table, in a folder or in an S3 bucket. */
export function createLanceStore(
  address: LanceAddress,
  config: RegisterVectorsConfig,
  host: StoreHost,
  housekeeping: Housekeeping,
): VectorStore {
  const { collection } = config;
  const key = `${uriOf(address)}/${collection}`;
  let connection: LanceDb.Connection | undefined;
  let table: LanceDb.Table | undefined;
  let dimensions = 0;

  /** Runs a LanceDB operation, and retries it after a conflict with another writer. */
  const attempt = async <T>(work: () => Promise<T>): Promise<T> => {
    for (let tries = 1; ; tries++) {
      host.signal.throwIfAborted();
      try {
        return await work();
      } catch (error) {
        if (error instanceof PluginFailure) throw error;
        host.signal.throwIfAborted();
        if (!isConflict(error) || tries === maxTries) throw unavailable(explain(error, config));
        const ms = 20 * 2 ** Math.min(tries, 6) * Math.random();
        await pause(ms, undefined, { signal: host.signal }).catch(() => host.signal.throwIfAborted());
        await table?.checkoutLatest();
      }
    }
  };

  const open = async (): Promise<LanceDb.Table | null> => {
    connection ??= await connect(address, config);
    return await openTable(connection, collection);
  };

  const notCompacted = (error: unknown): void =>
    host.log.warn({}, `a table could not be compacted; retrying later: ${explain(error, config)}`);

  return {
    async prepare(given) {
      await probe(config, host);
      const { dimensionsOf, schemaOf } = await import('./lance-rows.js');
      table = await attempt(async () => {
        if (address.kind === 'folder') await mkdir(address.path, { recursive: true, mode: 0o700 });
        const opened = await open();
        if (opened !== null) return opened;
        await createTable(await loadLance(), address, config, schemaOf(given), host);
        const made = await open();
        if (made === null)
          throw new Error(`The table ${collection} exists, but has no version that can be read.`);
        return made;
      });
      const opened = table;
      const kept = dimensionsOf(await attempt(() => opened.schema()));
      if (kept !== given) throw dimensionsDiffer(collection, kept ?? 0, given);
      dimensions = given;
      return batch;
    },

    async upsert(rows) {
      const { toArrow } = await import('./lance-rows.js');
      const opened = table;
      if (opened === undefined) throw new Error('prepare must be called before upsert');
      const data = toArrow(rows, dimensions);
      await attempt(() =>
        opened.mergeInsert('id').whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(data),
      );
      await housekeeping.wrote(key, opened, notCompacted);
    },

    async deleteRuns(resourceId, upToRun) {
      if (address.kind === 'folder' && !(await exists(join(address.path, `${collection}.lance`)))) return;
      if (table === undefined) await probe(config, host);
      const opened = (table ??= (await attempt(open)) ?? undefined);
      if (opened === undefined) return;
      const rows = `resource_id = '${resourceId.replaceAll("'", "''")}' AND run <= ${upToRun}`;
      if ((await attempt(() => opened.countRows(rows))) === 0) return;
      await attempt(() => opened.delete(rows));
      await housekeeping.wrote(key, opened, notCompacted);
      // This store is closed when the table is opened again.
      const reopen = async (): Promise<LanceDb.Table | null> =>
        await openTable(await connect(address, config), collection);
      housekeeping.deleted(key, reopen, notCompacted);
    },

    close() {
      table?.close();
      connection?.close();
    },
  };
}

/** Opens a table; null if it does not exist. */
async function openTable(connection: LanceDb.Connection, name: string): Promise<LanceDb.Table | null> {
  try {
    return await connection.openTable(name);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

async function connect(address: LanceAddress, config: RegisterVectorsConfig): Promise<LanceDb.Connection> {
  const lancedb = await loadLance();
  return await lancedb.connect(uriOf(address), {
    storageOptions: address.kind === 's3' ? storageOptions(config) : {},
    readConsistencyInterval: 0,
  });
}

function uriOf(address: LanceAddress): string {
  return address.kind === 'folder'
    ? address.path
    : `s3://${[address.bucket, address.prefix].filter(Boolean).join('/')}`;
}

function storageOptions(config: RegisterVectorsConfig): Record<string, string> {
  const { s3_endpoint, s3_region, s3_access_key_id, s3_secret_access_key } = config;
  return {
    region: s3_region,
    ...(s3_endpoint !== undefined && { endpoint: s3_endpoint, allow_http: 'true' }),
    ...(s3_access_key_id !== undefined && {
      aws_access_key_id: s3_access_key_id,
      aws_secret_access_key: s3_secret_access_key ?? '',
    }),
  };
}

/** Checks that the host allows the S3 endpoint and that it responds: LanceDB itself would retry for a long time. */
async function probe({ s3_endpoint }: RegisterVectorsConfig, { fetch, signal }: StoreHost): Promise<void> {
  if (s3_endpoint === undefined) return;
  try {
    await callEndpoint({
      fetch,
      method: 'GET',
      url: s3_endpoint,
      key: 's3_endpoint',
      timeoutSeconds: probeSeconds,
      signal,
    });
  } catch (error) {
    throw error instanceof NoAnswer ? unavailable(error.message) : error;
  }
}

/** Whether a path exists. Throws VECTOR_STORE_UNAVAILABLE if that is unknown: an unreadable path may still exist. */
async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return false;
    throw unavailable(`The folder of the vectors cannot be read: ${message}`);
  }
}

/** Loads LanceDB on first use: it is native code of more than 100 MB. */
async function loadLance(): Promise<typeof LanceDb> {
  try {
    return await import('#bundled/lancedb');
  } catch {
    const platform = `${process.platform} on ${process.arch}`;
    const message = `LanceDB does not run on ${platform}. Set vector_store_url to the address of a Chroma server.`;
    throw new PluginFailure('VECTOR_STORE_UNSUPPORTED', message, { retryable: false });
  }
}

function isConflict(error: unknown): boolean {
  return /commit conflict|concurrent|too many concurrent writers/i.test(messageOf(error));
}

/**
 * Whether a table does not exist, or has no version yet. The latter is seen while another writer creates it, and in S3
 * also after a writer was killed then: `createTable` completes it.
 */
function isMissing(error: unknown): boolean {
  const message = messageOf(error);
  if (/^Table '[^']*' was not found/.test(message)) return true;
  return /^Table '[^']*' exists but could not be loaded .*: Dataset at path .* was not found/.test(message);
}

/** Returns the start of LanceDB's message, without the position in its source code. */
function explain(error: unknown, { s3_secret_access_key }: RegisterVectorsConfig): string {
  if (messageOf(error).includes('UnknownIssuer'))
    return "LanceDB does not trust the certificate of the S3 server: set SSL_CERT_FILE of the worker to a file with the system's certificate authorities and your own.";
  const text = messageOf(error).split(/, \/\S+\.rs:\d+|\n/, 1)[0] ?? '';
  const safe = s3_secret_access_key === undefined ? text : text.replaceAll(s3_secret_access_key, '…');
  return `LanceDB: ${clip(safe, 300)}`;
}
