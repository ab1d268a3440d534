import { createFileObjectStore } from './file.js';
import type { S3Settings } from './s3/client.js';
import { createS3ObjectStore } from './s3/store.js';
import type { ObjectStore } from './types.js';

export type { S3Settings } from './s3/client.js';
export type { ByteRange, ObjectStore, StoredObject } from './types.js';

/** Creates the object store that the settings select: an S3 bucket if one is configured, else a folder. */
export function createObjectStore(config: {
  readonly s3: S3Settings | null;
  readonly directory: string;
}): ObjectStore {
  return config.s3 ? createS3ObjectStore(config.s3) : createFileObjectStore(config);
}
