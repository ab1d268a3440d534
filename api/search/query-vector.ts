import type { VectorKind } from '../../core/documents/vectors.js';
import { ServiceError } from '../../core/errors.js';
import { toEmbedderConfig, type EmbedderConfig } from '../../runtime/search/embedder.js';
import { listVectorKinds } from '../../storage/search/indexed.js';
import { findPlugin, readConfig } from '../../storage/pipelines/plugins.js';
import type { ApiDeps } from '../deps.js';
import type { FallbackReason } from './types.js';

/** A query's vector, and the vectors it can be compared with. */
export interface QueryVector {
  readonly vector: readonly number[];
  readonly space: VectorKind;
}

const embedderId = 'embed';

/**
 * Embeds a query as the plugin `embed` would now, or returns why that is impossible. Null: nothing to embed; only checks
 * whether it would be possible.
 */
export async function queryVector(
  { db, config, log, search }: Pick<ApiDeps, 'db' | 'config' | 'log' | 'search'>,
  indexId: number,
  text: string | null,
): Promise<QueryVector | FallbackReason | null> {
  const [plugin, given, kinds] = await Promise.all([
    findPlugin(db, embedderId),
    readConfig(db, config.secrets, embedderId),
    listVectorKinds(db, indexId),
  ]);
  const embedder = given === null || plugin?.is_active !== true ? null : toEmbedderConfig(given);
  if (embedder === null) return 'NO_EMBEDDER';
  if (!kinds.some(({ model }) => model === embedder.model)) return 'NO_VECTORS';
  if (text === null) return null;
  const vector = await embed(embedder, text, { log, search });
  if (vector === null) return 'EMBEDDER_UNAVAILABLE';
  const space = { dimensions: vector.length, model: embedder.model };
  return kinds.some((kind) => kind.model === space.model && kind.dimensions === space.dimensions)
    ? { vector, space }
    : 'NO_VECTORS';
}

async function embed(
  embedder: EmbedderConfig,
  text: string,
  { log, search }: Pick<ApiDeps, 'log' | 'search'>,
): Promise<readonly number[] | null> {
  try {
    return await search.embedQuery(text, embedder);
  } catch (err) {
    log.warn({ err }, 'the vector of a query could not be made');
    return null;
  }
}

/** Returns the error of a search by vectors only, which has no fallback. */
export function noVector(reason: FallbackReason): ServiceError {
  switch (reason) {
    case 'NO_EMBEDDER':
      return new ServiceError(
        'NO_EMBEDDER',
        'The plugin embed is inactive or its config lacks base_url or model. Correct that, or search with mode=text.',
      );
    case 'NO_VECTORS':
      return new ServiceError(
        'NO_VECTORS',
        'No chunk in the index has a vector of the model in the config of embed. Add embed to a pipeline and reprocess, or search with mode=text.',
      );
    case 'EMBEDDER_UNAVAILABLE':
      return new ServiceError(
        'SEARCH_UNAVAILABLE',
        'The endpoint of the plugin embed returned no vector for the query. Try again, or search with mode=text.',
        { reason },
      );
  }
}
