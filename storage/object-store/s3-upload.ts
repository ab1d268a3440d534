import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { Readable } from 'node:stream';
import { storageUnavailable } from './errors.js';

/** Bytes of a part of a multipart upload. S3 takes 10,000 parts, so an object has at most 80 GB. */
const partSize = 8 * 1024 * 1024;
/** Parts of one upload on their way at a time: with the one being filled, what an upload holds in memory. */
const partsAtOnce = 2;

/** What is uploaded: a stream as the object `Key` of a bucket. */
export interface StreamUpload {
  readonly Bucket: string;
  readonly Key: string;
  readonly ContentType?: string | undefined;
}

/**
 * The client for an upload: `brisk`, but for the last request. Putting the parts together takes some servers long, and
 * they say nothing meanwhile.
 */
export function uploadClient(brisk: S3Client, patient: S3Client): S3Client {
  const send = async (command: Parameters<S3Client['send']>[0]): Promise<unknown> =>
    await (command instanceof CompleteMultipartUploadCommand ? patient : brisk).send(command);
  return Object.assign(Object.create(brisk) as S3Client, { send });
}

/**
 * Uploads a stream in parts, or in one request when one part holds it, and resolves with its bytes. When it fails or
 * the signal aborts, the parts are withdrawn before the promise rejects. Throws STORAGE_UNAVAILABLE, the signal's
 * reason, or what the stream failed with. The stream is used up or destroyed.
 */
export async function uploadStream(
  client: S3Client,
  target: StreamUpload,
  content: Readable,
  signal?: AbortSignal,
): Promise<number> {
  let size = 0;
  let failure: { readonly error: unknown } | undefined;
  const counted = async function* (): AsyncGenerator<Buffer> {
    const chunks = (content as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
    for (;;) {
      const next = await chunks.next().catch((error: unknown) => {
        failure ??= { error };
        throw error;
      });
      if (next.done) return;
      size += next.value.length;
      yield next.value;
    }
  };
  // Destroying the stream stops `Upload` better than its own abort does, which rejects before the parts are withdrawn.
  const abort = (): void => void content.destroy(signal?.reason as Error);
  content.on('error', (error) => (failure ??= { error }));
  signal?.addEventListener('abort', abort, { once: true });
  try {
    signal?.throwIfAborted();
    const params = { ...target, Body: Readable.from(counted(), { objectMode: false }) };
    await new Upload({ client, params, partSize, queueSize: partsAtOnce }).done();
    return size;
  } catch (error) {
    content.destroy();
    if (signal?.aborted) throw signal.reason;
    throw failure ? failure.error : storageUnavailable(error);
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
