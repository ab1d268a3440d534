import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as lancedb from '@lancedb/lancedb';
import { startChroma } from '../../support/servers/chroma.js';
import { startS3 } from '../../support/servers/s3.js';
import { temporaryFolder } from '../../support/temporary.js';

export interface Row {
  readonly id: string;
  readonly vector: readonly number[];
  readonly text: string;
  readonly resource_id: string;
  readonly resource_name: string;
  readonly resource_type: string;
  readonly chunk_index: number;
  readonly start: number;
  readonly end: number;
  readonly run: number;
}

/** A vector store that runs, and what a config says of it. */
export interface Store {
  readonly config: Readonly<Record<string, unknown>>;
  /** What somebody else reads in a collection, by id; null when there is no such collection. */
  read(collection: string): Promise<Row[] | null>;
  stop(): Promise<void>;
}

/** Chroma keeps vectors of a cosine space by direction and length, which costs the last digit. */
const rounded = (vector: readonly number[]): number[] => vector.map((number) => Number(number.toFixed(4)));

export const byId = (one: { id: string }, other: { id: string }): number => (one.id < other.id ? -1 : 1);

export async function readLance(
  uri: string,
  collection: string,
  storageOptions: Record<string, string> = {},
): Promise<Row[] | null> {
  const connection = await lancedb.connect(uri, { storageOptions });
  if (!(await connection.tableNames()).includes(collection)) return null;
  const table = await connection.openTable(collection);
  const rows = (await table.query().toArray()).map((row): Row => {
    const { vector, ...rest } = row.toJSON();
    return { ...rest, vector: [...vector] };
  });
  connection.close();
  return rows.sort(byId);
}

async function startLanceFolder(): Promise<Store> {
  const folder = join(temporaryFolder(), 'a', 'folder');
  return Promise.resolve({
    config: { vector_store_url: `lancedb:${folder}` },
    read: async (collection) => (existsSync(folder) ? await readLance(folder, collection) : null),
    stop: () => Promise.resolve(),
  });
}

async function startLanceOnS3(): Promise<Store> {
  const s3 = await startS3();
  const storageOptions = {
    endpoint: s3.endpoint,
    region: s3.region,
    aws_access_key_id: s3.accessKeyId,
    aws_secret_access_key: s3.secretAccessKey,
    allow_http: 'true',
  };
  return {
    config: {
      vector_store_url: `lancedb:s3://${s3.bucket}/some/vectors`,
      s3_endpoint: s3.endpoint,
      s3_access_key_id: s3.accessKeyId,
      s3_secret_access_key: s3.secretAccessKey,
    },
    read: (collection) => readLance(`s3://${s3.bucket}/some/vectors`, collection, storageOptions),
    stop: () => s3.stop(),
  };
}

async function startChromaStore(): Promise<Store> {
  const chroma = await startChroma();
  return {
    config: { vector_store_url: chroma.url },
    async read(collection) {
      const found = await chroma.rows(collection);
      if (found === null) return null;
      const { ids, documents, embeddings, metadatas } = found;
      return ids
        .map((id, index): Row => {
          return { id, text: documents[index], vector: rounded(embeddings[index]), ...metadatas[index] };
        })
        .sort(byId);
    },
    stop: () => chroma.stop(),
  };
}

/** Every store that vectors are registered in. */
export const stores: readonly (readonly [name: string, start: () => Promise<Store>])[] = [
  ['LanceDB in a folder', startLanceFolder],
  ['LanceDB in an S3 bucket', startLanceOnS3],
  ['a Chroma server', startChromaStore],
];
