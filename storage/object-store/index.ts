import { createFileObjectStore } from './file.js';
import type { S3Settings } from './s3/client.js';
import type { ObjectStore } from './types.js';

export type { S3Settings } from './s3/client.js';
export type { ByteRange, ObjectStore, StoredObject } from './types.js';

/**
 * The object store that the settings ask for: the S3 bucket when there is one, else a folder. Only who uses S3
 * loads its client, which takes more than a tenth of a second.
 */
export async function createObjectStore(config: {
  readonly s3: S3Settings | null;
  readonly directory: string;
}): Promise<ObjectStore> {
  if (config.s3 === null) return createFileObjectStore(config);
  const { createS3ObjectStore } = await import('./s3/store.js');
  return createS3ObjectStore(config.s3);
}
