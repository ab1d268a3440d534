import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { S3Client } from '@aws-sdk/client-s3';
import type * as LanceDb from '@lancedb/lancedb';
import type { Schema } from 'apache-arrow';
import type { LanceAddress } from './address.js';
import type { RegisterVectorsConfig } from './config.js';

type S3Address = Extract<LanceAddress, { kind: 's3' }>;

/**
 * Creates a table unless another writer creates it at the same time. LanceDB's own method is not safe for that: the
 * second writer overwrites the table, including rows already written. So this creates an empty table in a temporary
 * place and moves it with one step that fails if the table exists: a rename, or a conditional PUT of its manifest.
 *
 * @param silenceMs Time after which a request to an S3 server without response is aborted; three requests are made.
 */
export async function createTable(
  lancedb: typeof LanceDb,
  address: LanceAddress,
  config: RegisterVectorsConfig,
  schema: Schema,
  { signal, silenceMs = 10_000 }: { readonly signal: AbortSignal; readonly silenceMs?: number },
): Promise<void> {
  const beside = address.kind === 'folder' ? address.path : tmpdir();
  await mkdir(beside, { recursive: true, mode: 0o700 });
  const aside = await mkdtemp(join(beside, '.new-'));
  const folder = `${config.collection}.lance`;
  try {
    const connection = await lancedb.connect(aside);
    (await connection.createEmptyTable(config.collection, schema)).close();
    connection.close();
    if (address.kind === 'folder') await moveTo(join(address.path, folder), join(aside, folder));
    else {
      const client = await createClient(config, silenceMs);
      await uploadTo(address, { client, signal }, aside, folder);
    }
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

/** Moves a folder. A rename never replaces a folder that is not empty. */
async function moveTo(target: string, source: string): Promise<void> {
  try {
    await rename(source, target);
  } catch (error) {
    const isThere = await stat(target).catch(() => null);
    if (isThere === null) throw error;
  }
}

async function uploadTo(
  { bucket, prefix }: S3Address,
  { client, signal }: { readonly client: S3Client; readonly signal: AbortSignal },
  root: string,
  folder: string,
): Promise<void> {
  const { PutObjectCommand } = await import('@aws-sdk/client-s3');
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((file) => join(file.parentPath, file.name));
  try {
    // In order of name, the manifest comes after the transaction that it refers to.
    for (const path of paths.sort()) {
      const key = [prefix, relative(root, path).replaceAll('\\', '/')].filter(Boolean).join('/');
      const put = { Bucket: bucket, Key: key, Body: await readFile(path), IfNoneMatch: '*' };
      await client.send(new PutObjectCommand(put), { abortSignal: signal });
    }
  } catch (error) {
    if (!isThereAlready(error)) throw error;
  } finally {
    client.destroy();
  }
}

async function createClient(config: RegisterVectorsConfig, silenceMs: number): Promise<S3Client> {
  const { S3Client } = await import('@aws-sdk/client-s3');
  const { s3_endpoint, s3_region, s3_access_key_id, s3_secret_access_key } = config;
  return new S3Client({
    region: s3_region,
    maxAttempts: 3,
    // Without these limits, a server that does not respond would block forever.
    requestHandler: {
      connectionTimeout: silenceMs,
      requestTimeout: silenceMs,
      throwOnRequestTimeout: true,
      socketTimeout: silenceMs,
    },
    ...(s3_endpoint !== undefined && { endpoint: s3_endpoint, forcePathStyle: true }),
    ...(s3_access_key_id !== undefined && {
      credentials: { accessKeyId: s3_access_key_id, secretAccessKey: s3_secret_access_key ?? '' },
    }),
  });
}

/** Whether an error means that the object exists (S3 answers 412) or is being written by another client (409). */
function isThereAlready(error: unknown): boolean {
  const { $metadata } = error as { readonly $metadata?: { readonly httpStatusCode?: number } };
  return $metadata?.httpStatusCode === 412 || $metadata?.httpStatusCode === 409;
}
