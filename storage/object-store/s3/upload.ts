import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  AbortMultipartUploadCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3';
import { storageUnavailable } from '../errors.js';
import { everyResource } from '../keys.js';
import { MultipartUpload, type UploadClients, type UploadTarget } from './multipart-upload.js';
import type { PartMemory } from './part-memory.js';
import { PartWriter } from './part-writer.js';
import type { PutOptions } from '../types.js';

/** State shared by all uploads of a store. */
export interface Uploads {
  readonly clients: UploadClients;
  readonly memory: PartMemory;
}

/**
 * Uploads a stream in parts, or in one request if it fits into one part, and resolves with its size. On failure or
 * abort, the parts are removed before the promise rejects. Throws STORAGE_UNAVAILABLE, the signal's reason, or the
 * stream's error. The stream is consumed or destroyed. An object sent in one request is verified against `sha256`.
 */
export async function uploadStream(
  { clients, memory }: Uploads,
  target: UploadTarget,
  content: Readable,
  { expected, sha256, signal }: PutOptions = {},
): Promise<number> {
  const upload = new MultipartUpload(clients, target, sha256);
  const writer = new PartWriter(upload, memory, expected);
  // Only the stream: completing the upload, at the end, cannot be undone.
  const abort = (): void => void content.destroy(signal?.reason as Error);
  content.on('error', () => undefined);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    signal?.throwIfAborted();
    await pipeline(content, writer);
    return writer.size;
  } catch (error) {
    content.destroy();
    await writer.settled();
    await upload.withdraw();
    if (signal?.aborted) throw signal.reason;
    throw writer.refusal === null ? error : storageUnavailable(writer.refusal);
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

/**
 * Aborts unfinished multipart uploads of resources that started before a given time. Others are left, because a bucket
 * may be shared, and only contents of resources are sent in parts. Resolves with their number. Throws the server's errors.
 */
export async function abortUploads(
  client: S3Client,
  Bucket: string,
  before: Date,
  options: { readonly abortSignal: AbortSignal | undefined },
): Promise<number> {
  let aborted = 0;
  let page: ListMultipartUploadsCommandOutput | undefined;
  do {
    page = await client.send(
      new ListMultipartUploadsCommand({
        Bucket,
        KeyMarker: page?.NextKeyMarker,
        UploadIdMarker: page?.NextUploadIdMarker,
      }),
      options,
    );
    for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
      if (!Key?.startsWith(everyResource) || Initiated === undefined || Initiated >= before) continue;
      await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }), options);
      aborted++;
    }
  } while (page.IsTruncated);
  return aborted;
}
