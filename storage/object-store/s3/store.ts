import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  paginateListObjectsV2,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { addAbortSignal, Readable } from 'node:stream';
import { objectNotFound, rangePastEnd, storageUnavailable } from '../errors.js';
import { assertKey, assertPrefix, assertRange } from '../keys.js';
import { PartMemory } from './part-memory.js';
import { createS3Client, patienceMs, type S3Settings } from './client.js';
import { abortUploads, uploadStream } from './upload.js';
import type { ObjectStore } from '../types.js';

const deletionsAtOnce = 8;

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : '';
}

/**
 * An object store in an S3 bucket, of Amazon or a compatible server. Streams are uploaded in parts, so memory use does
 * not depend on their size. If an upload fails or is aborted, its parts are removed. Parts left by a killed process,
 * which readers never see, are removed by `removeAbandoned`.
 */
export function createS3ObjectStore(settings: S3Settings): ObjectStore {
  const silenceMs = 1_000 * (settings.timeoutSeconds ?? 10);
  const client = createS3Client(settings, silenceMs);
  /** For responses that wait for their reader. */
  const patient = createS3Client(settings, patienceMs);
  const uploads = { clients: { brisk: client, patient }, memory: new PartMemory() };
  const Bucket = settings.bucket;

  /**
   * Sends a request. A failure becomes STORAGE_UNAVAILABLE, unless the signal caused it or `known` maps it to a more
   * specific error.
   */
  const sending = async <T>(
    request: Promise<T>,
    signal?: AbortSignal,
    known?: (name: string, error: unknown) => Error | undefined,
  ): Promise<T> => {
    try {
      return await request;
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw known?.(nameOf(error), error) ?? storageUnavailable(error);
    }
  };

  /** Amazon S3 reports success if there is no such object; Google Cloud Storage and others answer NoSuchKey. */
  const deleteObject = async (Key: string, signal?: AbortSignal): Promise<void> => {
    try {
      await client.send(new DeleteObjectCommand({ Bucket, Key }), { abortSignal: signal });
    } catch (error) {
      if (nameOf(error) !== 'NoSuchKey') throw error;
    }
  };

  return {
    kind: 'bucket',

    async put(key, content, options = {}) {
      const { mediaType, signal } = options;
      assertKey(key);
      const target = { Bucket, Key: key, ContentType: mediaType };
      if (content instanceof Readable) return { size: await uploadStream(uploads, target, content, options) };
      signal?.throwIfAborted();
      const command = new PutObjectCommand({ ...target, Body: content });
      await sending(client.send(command, { abortSignal: signal }), signal);
      return { size: content.length };
    },

    async get(key, { range, signal } = {}) {
      assertKey(key);
      if (range) assertRange(range);
      signal?.throwIfAborted();
      const Range = range && `bytes=${range.start}-${range.end}`;
      const command = new GetObjectCommand({ Bucket, Key: key, Range });
      const answer = await sending(
        patient.send(command, { requestTimeout: silenceMs, abortSignal: signal }),
        signal,
        (name, error) => {
          if (name === 'NoSuchKey') return objectNotFound(key, error);
          return name === 'InvalidRange' && range ? rangePastEnd(key, range.start) : undefined;
        },
      );
      const stream = answer.Body as unknown as Readable;
      const size = Number(answer.ContentRange?.split('/')[1] ?? answer.ContentLength);
      return { stream: signal ? addAbortSignal(signal, stream) : stream, size };
    },

    async delete(keys, { signal } = {}) {
      keys.forEach(assertKey);
      // One by one: some compatible servers cannot verify how the SDK signs multi-object deletions.
      for (let next = 0; next < keys.length; next += deletionsAtOnce) {
        const batch = keys.slice(next, next + deletionsAtOnce);
        await sending(Promise.all(batch.map((key) => deleteObject(key, signal))), signal);
      }
    },

    async *list(prefix, { after, signal } = {}) {
      assertPrefix(prefix);
      const request = { Bucket, Prefix: prefix, StartAfter: after };
      const pages = paginateListObjectsV2({ client }, request, { abortSignal: signal });
      for (;;) {
        const page = await sending(pages.next(), signal);
        if (page.done) return;
        for (const { Key, Size, LastModified } of page.value.Contents ?? []) {
          if (Key !== undefined)
            yield { key: Key, size: Size ?? 0, lastModified: LastModified ?? new Date(0) };
        }
      }
    },

    async removeAbandoned(before, { signal } = {}) {
      return await sending(abortUploads(client, Bucket, before, { abortSignal: signal }), signal);
    },

    async create() {
      // A bucket must exist.
    },

    async check({ signal } = {}) {
      await sending(client.send(new HeadBucketCommand({ Bucket }), { abortSignal: signal }), signal);
    },

    close() {
      client.destroy();
      patient.destroy();
    },
  };
}
