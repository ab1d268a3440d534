import type { Chunk } from '../../core/documents/chunks.js';
import { messageOf, ServiceError } from '../../core/errors.js';
import { PluginFailure } from '@knowledge-warehouse/plugin';
import { clip } from '@knowledge-warehouse/plugin/protocol';
import { layoutOf } from '../../plugins/chunk-text/layout.js';
import type { Layout } from '../../plugins/chunk-text/records.js';
import {
  chunkStoredText,
  readStoredChunks,
  readStoredVectors,
  type ContentToRead,
} from '../../plugins/stored-artifacts/index.js';
import type { Deps } from '../../runtime/deps.js';
import type { NewChunk } from '../../runtime/search/engine.js';
import { openStored, type StoredContent } from '../../storage/object-store/open-stored.js';
import { isUnreadable, unreadableArtifact } from '../../storage/object-store/unreadable.js';
import { findReferredJson, type SearchSource } from '../../storage/search/changes.js';

/** The result of reading a source. */
interface ReadSource {
  readonly chunks: readonly NewChunk[];
  /** Why part of the source is permanently unreadable; null if everything was read. */
  readonly error: string | null;
}

type ReadDeps = Pick<Deps, 'db' | 'objectStore'>;

/**
 * Reads the chunks and vectors of a source. Damaged or invalid content is returned as an error; failures that
 * may be temporary are thrown.
 */
export async function readSource(
  deps: ReadDeps,
  source: SearchSource,
  signal: AbortSignal,
): Promise<ReadSource> {
  const { resource_id, run, kind } = source;
  if (kind === null || source.content === null) return { chunks: [], error: null };
  try {
    const content = contentOf(deps, source, source.content, signal);
    if (kind === 'text') {
      const { layout, error } = await readLayout(deps, source, source.content.metadata, signal);
      const chunks = await chunkStoredText(content, layout, signal);
      return { chunks: chunks.map((chunk) => ({ ...chunk, resource_id, run, vector: null })), error };
    }
    const chunks = await readStoredChunks(content, signal);
    const { rows, model, error } = await readVectors(deps, source, chunks, signal);
    const indexed = chunks.map((chunk, index): NewChunk => {
      const values = rows?.[index];
      return { ...chunk, resource_id, run, vector: values === undefined ? null : { model, values } };
    });
    return { chunks: indexed, error };
  } catch (error) {
    return { chunks: [], error: reasonOf(error) };
  }
}

/** The layout of a text. A long text is searchable even if the artifact with its pages cannot be read. */
async function readLayout(
  deps: ReadDeps,
  source: SearchSource,
  metadata: string,
  signal: AbortSignal,
): Promise<{ readonly layout: Layout; readonly error: string | null }> {
  const declared: unknown = JSON.parse(metadata);
  try {
    const layout = await layoutOf(declared, async (type) => {
      const pages = await findReferredJson(deps.db, source, storable(type));
      if (pages === null) return null;
      return await contentOf(deps, { artifact_id: pages.id, kind: type }, pages, signal).open();
    });
    return { layout, error: null };
  } catch (error) {
    const reason = reasonOf(error);
    return { layout: await layoutOf(declared, () => Promise.resolve(null)), error: reason };
  }
}

interface ReadVectors {
  readonly rows: readonly Float32Array[] | null;
  readonly model: string;
  readonly error: string | null;
}

/** The text of chunks is searchable even if their vectors cannot be read. */
async function readVectors(
  deps: ReadDeps,
  source: SearchSource,
  chunks: readonly Chunk[],
  signal: AbortSignal,
): Promise<ReadVectors> {
  const none = { rows: null, model: '', error: null };
  if (source.vectors === null || chunks.length === 0) return none;
  try {
    const content = contentOf(deps, source, source.vectors, signal);
    const rows = await readStoredVectors(content, signal);
    if (rows.length !== chunks.length)
      return { ...none, error: `There are ${rows.length} vectors for ${chunks.length} chunks.` };
    return { ...none, rows, model: modelIn(source.vectors.metadata) };
  } catch (error) {
    return { ...none, error: reasonOf(error) };
  }
}

/** The model that `embed` records in its artifact's metadata. Other plugins may record it there too. */
function modelIn(metadata: string): string {
  const { model } = Object(JSON.parse(metadata)) as Record<string, unknown>;
  return typeof model === 'string' ? clip(storable(model), 500) : '';
}

function contentOf(
  { objectStore }: ReadDeps,
  { artifact_id, kind }: { readonly artifact_id: string | null; readonly kind: string | null },
  content: StoredContent,
  signal: AbortSignal,
): ContentToRead {
  const unreadable = unreadableArtifact({ id: artifact_id ?? '', type: kind ?? '' });
  return {
    sizeBytes: content.size_bytes,
    open: () => openStored(objectStore, content, { unreadable, signal }),
  };
}

/** Why content can never be read. Throws an error that may be temporary. */
function reasonOf(error: unknown): string {
  const isRefused = error instanceof PluginFailure && error.options.retryable === false;
  if (error instanceof SyntaxError || isUnreadable(error) || isRefused) return explain(error);
  throw error;
}

/** PostgreSQL stores neither U+0000 nor lone surrogates. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\u0000', '\ufffd');

/** Returns an error as the index records it. */
export function explain(error: unknown): string {
  const code = error instanceof PluginFailure || error instanceof ServiceError ? `${error.code}: ` : '';
  return clip(storable(`${code}${messageOf(error)}`), 500);
}
