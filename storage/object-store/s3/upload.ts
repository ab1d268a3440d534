import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  AbortMultipartUploadCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3';
import { storageUnavailable } from '../errors.js';
import { MultipartUpload, type UploadClients, type UploadTarget } from './multipart-upload.js';
import type { PartMemory } from './part-memory.js';
import { PartWriter } from './part-writer.js';
import type { PutOptions } from '../types.js';

/** What the uploads of a store share. */
export interface Uploads {
  readonly clients: UploadClients;
  readonly memory: PartMemory;
}

/**
 * Uploads a stream in parts, or in one request when one part holds it, and resolves with its bytes. When it fails or
 * the signal aborts, the parts are withdrawn before the promise rejects. Throws STORAGE_UNAVAILABLE, the signal's
 * reason, or what the stream failed with. The stream is used up or destroyed. An object that goes up in one request is
 * checked against `sha256`.
 */
export async function uploadStream(
  { clients, memory }: Uploads,
  target: UploadTarget,
  content: Readable,
  { expected, sha256, signal }: PutOptions = {},
): Promise<number> {
  const upload = new MultipartUpload(clients, target, sha256);
  const writer = new PartWriter(upload, memory, expected);
  // The stream alone: what is being put together at the end cannot be taken back.
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
 * Aborts the uploads in parts that were begun before a moment and never finished. Resolves with how many there were.
 * Throws what the server answers.
 */
export async function abortUploads(client: S3Client, Bucket: string, before: Date): Promise<number> {
  let aborted = 0;
  let page: ListMultipartUploadsCommandOutput | undefined;
  do {
    page = await client.send(
      new ListMultipartUploadsCommand({
        Bucket,
        KeyMarker: page?.NextKeyMarker,
        UploadIdMarker: page?.NextUploadIdMarker,
      }),
    );
    for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
      if (Initiated === undefined || Initiated >= before) continue;
      await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
      aborted++;
    }
  } while (page.IsTruncated);
  return aborted;
}
