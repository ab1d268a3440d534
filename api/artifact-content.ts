import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { found } from './not-found.js';
import type { Artifact } from '../storage/artifacts.js';
import { ServiceError } from '../core/errors.js';
import type { ApiDeps } from './deps.js';

/** How often a row may point to another object before we give up. */
const mostReplacements = 3;

/**
 * An artifact and its bytes. When the object vanished because a later run replaced the content between the two looks,
 * the row is read again. Throws NOT_FOUND.
 */
export async function openArtifact(
  { reads, objectStore }: Pick<ApiDeps, 'reads' | 'objectStore'>,
  resourceId: string,
  id: string,
): Promise<{ readonly artifact: Artifact; readonly stream: Readable }> {
  let before: string | null = null;
  for (let look = 0; look <= mostReplacements; look += 1) {
    const artifact = found(await reads.artifact(resourceId, id), 'artifact', id);
    if (artifact.object_key === before) break;
    try {
      return { artifact, stream: (await objectStore.get(artifact.object_key)).stream };
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'NOT_FOUND') throw error;
      before = artifact.object_key;
    }
  }
  throw new Error(`The object ${before ?? ''} of the artifact ${id} is gone.`);
}

/** Bytes up to which a content is read whole before it is answered. */
const mostAtOnce = 64 * 1024;

/**
 * The JSON of an artifact with its content. A short content is read whole, so that a store that fails meanwhile gives an
 * error instead of half an answer; a longer one is written as its bytes come, and little of it is in memory. Throws
 * STORAGE_UNAVAILABLE.
 */
export async function toContentJson(artifact: Artifact, stream: Readable): Promise<string | Readable> {
  if (artifact.size_bytes <= mostAtOnce) return await whole(artifact, stream);
  const json = Readable.from(parts(artifact, stream), { objectMode: false });
  // An answer that nobody reads (HEAD, a client that left) never starts the generator, which would close the bytes.
  return json.once('close', () => stream.destroy());
}

async function whole(artifact: Artifact, stream: Readable): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = await buffer(stream);
  } catch (cause) {
    throw new ServiceError('STORAGE_UNAVAILABLE', 'The object store broke off.', {}, { cause });
  }
  const content = bytes.toString();
  return `${opening(artifact)}${artifact.content_type === 'text' ? JSON.stringify(content) : content}}`;
}

/** The JSON as far as the content. */
const opening = ({ id, type, content_type }: Artifact): string =>
  `${JSON.stringify({ id, type, content_type }).slice(0, -1)},"content":`;

async function* parts(artifact: Artifact, stream: Readable): AsyncGenerator<string | Buffer> {
  yield opening(artifact);
  if (artifact.content_type === 'text') yield* quoted(stream);
  else yield* stream as AsyncIterable<Buffer>;
  yield '}';
}

/** Text as a JSON string: a decoder keeps what is split between two chunks together. */
async function* quoted(stream: Readable): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  yield '"';
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const text = decoder.decode(chunk, { stream: true });
    if (text !== '') yield JSON.stringify(text).slice(1, -1);
  }
  yield `${JSON.stringify(decoder.decode()).slice(1, -1)}"`;
}
