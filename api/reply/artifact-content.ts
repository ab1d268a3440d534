import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { found } from '../lookups/found.js';
import type { Artifact } from '../../storage/artifacts.js';
import { mostAtOnce, openStored } from '../../storage/object-store/open-stored.js';
import { unreadableArtifact } from '../../storage/object-store/unreadable.js';
import type { ApiDeps } from '../deps.js';
import { openNewest } from './open-newest.js';

/**
 * Calls `open` with an artifact and its bytes. If a later run replaced the object after the row was read, reads the row
 * again. Throws NOT_FOUND, ARTIFACT_UNREADABLE and STORAGE_UNAVAILABLE.
 */
export async function withArtifact<T>(
  { reads }: Pick<ApiDeps, 'reads'>,
  resourceId: string,
  id: string,
  open: (artifact: Artifact) => Promise<T>,
): Promise<T> {
  return await openNewest(async () => found(await reads.artifact(resourceId, id), 'artifact', id), open);
}

/** Opens the JSON of an artifact with its content. */
export async function openEnvelope(
  { objectStore }: Pick<ApiDeps, 'objectStore'>,
  artifact: Artifact,
): Promise<string | Readable> {
  const stream = await openStored(objectStore, artifact, { unreadable: unreadableArtifact(artifact) });
  return await toContentJson(artifact, stream);
}

/**
 * Returns the JSON of an artifact with its content. Short content is read completely; longer content is streamed, with
 * little of it in memory.
 */
async function toContentJson(artifact: Artifact, stream: Readable): Promise<string | Readable> {
  if (artifact.size_bytes <= mostAtOnce) return await whole(artifact, stream);
  const json = Readable.from(parts(artifact, stream), { objectMode: false });
  // A response that is never read (HEAD, a client that left) never starts the generator, which would close the bytes.
  return json.once('close', () => stream.destroy());
}

async function whole(artifact: Artifact, stream: Readable): Promise<string> {
  const content = (await buffer(stream)).toString();
  return `${opening(artifact)}${artifact.content_type === 'text' ? JSON.stringify(content) : content}}`;
}

/** Returns the JSON up to the content. */
const opening = ({ id, type, content_type }: Artifact): string =>
  `${JSON.stringify({ id, type, content_type }).slice(0, -1)},"content":`;

async function* parts(artifact: Artifact, stream: Readable): AsyncGenerator<string | Buffer> {
  yield opening(artifact);
  if (artifact.content_type === 'text') yield* quoted(stream);
  else yield* stream as AsyncIterable<Buffer>;
  yield '}';
}

/** Encodes text as a JSON string. The decoder joins characters that are split between two chunks. */
async function* quoted(stream: Readable): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  yield '"';
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const text = decoder.decode(chunk, { stream: true });
    if (text !== '') yield JSON.stringify(text).slice(1, -1);
  }
  yield `${JSON.stringify(decoder.decode()).slice(1, -1)}"`;
}
