import { readdirSync, readFileSync } from 'node:fs';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type { StackDescription } from '../../../runtime/embedded/data-dir.js';
import { connectTemporal } from '../../../runtime/temporal/connection.js';
import { connectDatabase } from '../../../storage/database/connection.js';

/** Stored texts by location. */
export type Texts = Record<string, string>;

/** Reads the histories of all workflows with decoded payloads, and the workflows' descriptions. */
export async function readHistories(stack: StackDescription): Promise<Texts> {
  const { temporal_address: address, temporal_namespace: namespace } = stack;
  const temporal = await connectTemporal({ address, namespace, apiKey: null, tls: null, uiUrl: null });
  const texts: Texts = {};
  try {
    for await (const { workflowId, runId, memo } of temporal.client.workflow.list()) {
      const handle = temporal.client.workflow.getHandle(workflowId, runId);
      const history = JSON.parse(historyToJSON(await handle.fetchHistory())) as unknown;
      texts[`the history of ${workflowId}`] = JSON.stringify([memo, inClear(history)]);
    }
  } finally {
    await temporal.close();
  }
  return texts;
}

/** Reads every row of every table. Bytes appear as hexadecimal and as text; probable base64 is also decoded. */
export async function readTables(url: string): Promise<Texts> {
  const db = connectDatabase(url, { poolSize: 1 });
  const texts: Texts = {};
  try {
    const { rows: tables } = await db.raw<{ rows: { schema: string; name: string }[] }>(
      `select table_schema as schema, table_name as name from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    );
    for (const { schema, name } of tables) {
      const rows = (await db.withSchema(schema).from(name)) as unknown[];
      texts[`the table ${name}`] = rows.map((row) => JSON.stringify(decoded(row))).join('\n');
    }
  } finally {
    await db.destroy();
  }
  return texts;
}

export function readLogs(folder: string): Texts {
  return Object.fromEntries(
    readdirSync(folder).map((name) => [`the log ${name}`, readFileSync(`${folder}/${name}`, 'utf8')]),
  );
}

/** Returns a history with the `data` of its payloads decoded. */
function inClear(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inClear);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      key === 'data' && typeof each === 'string' ? Buffer.from(each, 'base64').toString() : inClear(each),
    ]),
  );
}

/** Returns a database value together with its decoded form. */
function decoded(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return [value.toString('hex'), decoded(value.toString('latin1'))];
  if (typeof value === 'string') {
    return /^[\w+/-]{8,}={0,2}$/.test(value)
      ? [value, Buffer.from(value, 'base64').toString('latin1')]
      : value;
  }
  if (Array.isArray(value)) return value.map(decoded);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, decoded(each)]));
}
