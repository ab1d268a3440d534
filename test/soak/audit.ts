import { Client, Connection } from '@temporalio/client';
import { clip } from '@knowledge-warehouse/plugin/protocol';
import { connectDatabase, type Db } from '../../storage/database/connection.js';
import type { ObjectStore } from '../../storage/object-store/types.js';
import { sweepOrphans } from '../../storage/sweeps/orphans.js';
import { readRepairs } from '../../storage/sweeps/repairs.js';
import { eventually } from '../support/eventually.js';
import type { TestStack } from '../support/service/stack.js';
import type { PatientClient } from './load.js';
import type { SoakStack } from './parts.js';
import { planResource } from './plan.js';

/** What is found in the end. Of `findings` there must be none. */
export interface Audit {
  readonly resources: number;
  /** Registered resources that are not there, not settled, or whose content is not theirs; objects that rows point to. */
  readonly lost: number;
  /** Rows, runs, workflows and artifacts of which one is too many. */
  readonly doubled: number;
  /** Resources that are FAILED though they are healthy, or for a reason that is not their own. */
  readonly misjudged: number;
  /** Hostile resources, by what is hostile of them and how they ended. */
  readonly hostile: Readonly<Record<string, string>>;
  /** Objects that no row points to: what a killed process had written and not committed. */
  readonly orphans: number;
  /** Of those, how many the daily sweep removed. */
  readonly swept: number;
  readonly findings: readonly string[];
}

interface Findings {
  readonly lost: string[];
  readonly doubled: string[];
  readonly misjudged: string[];
  readonly hostile: Record<string, string>;
}

/** Compares what a client was told with the tables, the object store, Temporal and the artifacts as they are served. */
export async function audit(
  { stack, store }: SoakStack,
  client: PatientClient,
  ids: ReadonlyMap<number, string>,
  seed: number,
): Promise<Audit> {
  const findings: Findings = { lost: [], doubled: [], misjudged: [], hostile: {} };
  const { lost, doubled, misjudged, hostile } = findings;
  const db = connectDatabase(stack.stack().database_url, { poolSize: 2 });
  try {
    await atRest(db);
    const there = await compareRows(db, ids, seed, findings);
    const orphans = await findOrphans(db, store, lost);
    await sweepDaily(db, store);
    const swept = (await readRepairs(db)).object_removed;
    if (swept !== orphans.length) lost.push(`the sweep found ${swept} of ${orphans.length} objects`);
    for (const key of await findOrphans(db, store, lost)) doubled.push(`the sweep left the object ${key}`);
    await countWorkflows(stack, ids.size, lost, doubled);
    for (const number of there) await readResource(client, number, ids.get(number)!, seed, findings);
    return {
      resources: ids.size,
      lost: lost.length,
      doubled: doubled.length,
      misjudged: misjudged.length,
      hostile,
      orphans: orphans.length,
      swept,
      findings: [...lost, ...doubled, ...misjudged],
    };
  } finally {
    await db.destroy();
  }
}

/** Waits until nothing is on its way: no message to send, no attempt open, no object to remove. */
async function atRest(db: Db): Promise<void> {
  const open = async (table: string, where: string): Promise<number> => {
    const result: { rows: [{ count: number }] } = await db.raw(
      `select count(*)::int as count from ${table} where ${where}`,
    );
    return result.rows[0].count;
  };
  await eventually(
    async () => {
      const counts = {
        messages: await open('outbox', 'true'),
        runs: await open('runs', "status = 'PROCESSING'"),
        discarded: await open('discarded_objects', 'true'),
      };
      if (Object.values(counts).some((count) => count > 0)) throw new Error(JSON.stringify(counts));
      return true;
    },
    { timeoutMs: 120_000, intervalMs: 500 },
  );
}

/** Returns the numbers of the resources that are there. */
async function compareRows(
  db: Db,
  ids: ReadonlyMap<number, string>,
  seed: number,
  { lost, doubled }: Findings,
): Promise<readonly number[]> {
  const rows: { id: string; name: string; run: number; runs: number }[] = await db('resources')
    .select('id', 'name', 'run')
    .select(db.raw('(select count(*)::int from runs where resource_id = resources.id) as runs'));
  const found = new Map(rows.map((row) => [row.id, row]));
  const there: number[] = [];
  for (const [number, id] of ids) {
    const row = found.get(id);
    if (row === undefined || row.name !== planResource(number, seed).name)
      lost.push(`resource ${number} (${id}) is not there`);
    else there.push(number);
    if (row !== undefined && (row.run !== 1 || row.runs !== 1))
      doubled.push(`resource ${number} has ${row.runs} runs`);
    found.delete(id);
  }
  for (const { id, name } of found.values()) doubled.push(`${name} is there once more, as ${id}`);
  const keys: { rows: [{ answered: number }] } = await db.raw(
    'select count(*) filter (where status = 201)::int as answered from idempotency_keys',
  );
  const { answered } = keys.rows[0];
  if (answered < ids.size) lost.push(`${ids.size - answered} answers of Idempotency-Keys`);
  if (answered > ids.size) doubled.push(`${answered - ids.size} answers of Idempotency-Keys`);
  return there;
}

/** The objects that no row points to; those that a row points to and that are not there are lost. */
async function findOrphans(db: Db, store: ObjectStore, lost: string[]): Promise<string[]> {
  const stored = new Set<string>();
  for await (const { key } of store.list('resources/')) stored.add(key);
  const pointed: { rows: { key: string }[] } = await db.raw(
    'select object_key as key from resources union all select object_key from artifacts',
  );
  for (const { key } of pointed.rows) if (!stored.delete(key)) lost.push(`the object ${key}`);
  return [...stored];
}

/** Sweeps the store as the service does once a day, as if the day were over. The stack removes what is found. */
async function sweepDaily(db: Db, store: ObjectStore): Promise<void> {
  const tomorrow = new Date(Date.now() + 24 * 60 * 60 * 1000);
  let after: string | null = null;
  do after = await sweepOrphans(db, store, { after, limit: 100, before: tomorrow });
  while (after !== null);
  await atRest(db);
}

async function countWorkflows(
  stack: TestStack,
  expected: number,
  lost: string[],
  doubled: string[],
): Promise<void> {
  const { temporal_address: address, temporal_namespace: namespace } = stack.stack();
  const connection = await Connection.connect({ address });
  try {
    const { workflow } = new Client({ connection, namespace });
    // That of a resource that is FAILED has failed.
    const query = "WorkflowType = 'processResource' and ExecutionStatus in ('Completed', 'Failed')";
    // Temporal lists what it closed a little later.
    const count = async (): Promise<number> => (await workflow.count(query)).count;
    await eventually(async () => (await count()) >= expected, { timeoutMs: 15_000 }).catch(() => undefined);
    const found = await count();
    if (found < expected) lost.push(`${expected - found} workflows`);
    if (found > expected) doubled.push(`${found - expected} workflows`);
  } finally {
    await connection.close();
  }
}

async function readResource(
  client: PatientClient,
  number: number,
  id: string,
  seed: number,
  { lost, doubled, misjudged, hostile }: Findings,
): Promise<void> {
  const plan = planResource(number, seed);
  const what = `resource ${number} (${id}, ${plan.hostile ?? 'healthy'})`;
  const resource = await client.get(`/resources/${id}`);
  const end: string = resource.status === 'FAILED' ? resource.error.code : resource.status;
  if (plan.hostile !== null)
    hostile[plan.hostile] = [hostile[plan.hostile] ?? [], clip(end, 40)].flat().join(', ');
  if (!['COMPLETED', 'FAILED'].includes(resource.status)) lost.push(`${what} is ${resource.status}`);
  else if (!plan.ends.includes(end)) misjudged.push(`${what} is ${end}: ${JSON.stringify(resource.error)}`);
  const types: string[] = resource.artifacts.map((artifact: { type: string }) => artifact.type).sort();
  if (new Set(types).size < types.length) doubled.push(`${what} has the artifacts ${types.join()}`);
  if (end !== 'COMPLETED') return;
  if (JSON.stringify(types) !== JSON.stringify(plan.artifacts)) {
    (types.length > plan.artifacts.length ? doubled : lost).push(`${what} has the artifacts ${types.join()}`);
  }
  for (const artifact of resource.artifacts) {
    const due = plan.contentOf(artifact.type);
    if (due === undefined) continue;
    const { content } = await client.get(`/resources/${id}/artifacts/${artifact.id}`);
    const served: unknown = artifact.type === 'chunks' ? chunksAsText(content) : content;
    if (JSON.stringify(served) !== JSON.stringify(due))
      lost.push(`the ${artifact.type} of ${what} is not its own`);
  }
}

/** The text that chunks were cut from; they overlap. */
function chunksAsText({ chunks }: { chunks: { text: string; start: number }[] }): string {
  return chunks.reduce((text, chunk) => text.slice(0, chunk.start) + chunk.text, '');
}
