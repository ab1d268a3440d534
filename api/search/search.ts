import { ServiceError } from '../../core/errors.js';
import type { IndexReader } from '../../runtime/search/engine.js';
import { parseQuery, type Query } from '../../runtime/search/query.js';
import type { SearchScope } from '../../storage/search/hits.js';
import { readCurrentIndex, type SearchIndex } from '../../storage/search/indexes.js';
import type { Rerank } from '../../runtime/search/reranker.js';
import type { ApiDeps } from '../deps.js';
import { checkAgain } from './check-again.js';
import { collect, type Collected } from './collect.js';
import { assertReadable } from '../../runtime/search/lance/readable.js';
import { noVector, queryVector, type QueryVector } from './query-vector.js';
import { byBoth, byPhrase, byText, byVector, type Ranker } from './rankers.js';
import { reranked } from './reranked.js';
import { toHits } from './to-hit.js';
import type { FallbackReason, SearchAnswer, SearchHit, SearchMode, SearchRequest } from './types.js';

const defaultLimit = 10;

/** How long a search may wait for its turn at the reranker, in milliseconds. */
const mostRerankWaitMs = 5_000;

/** Maximum attempts at a search if the index changes meanwhile. */
const mostTries = 4;
/** The number of hits sent to a reranker. */
const mostReranked = 50;
/** What a model can embed; a query of only punctuation finds nothing. */
const meaningful = /[\p{L}\p{N}\p{S}]/u;

/**
 * Finds chunks of enabled resources. Throws ServiceError: NO_EMBEDDER, NO_VECTORS, SEARCH_UNAVAILABLE,
 * DATABASE_UNAVAILABLE.
 */
export async function search(deps: ApiDeps, request: SearchRequest): Promise<SearchAnswer> {
  const begun = performance.now();
  const mode = request.mode ?? 'text';
  try {
    const query = parseQuery(request.q);
    // Models are asked outside the limiter: while one hangs, other searches need its place.
    const vector = await vectorOf(deps, query, mode);
    const answer = await answerTo(deps, request, { mode, query, vector });
    deps.metrics.searched({ mode: answer.mode, outcome: 'ok' }, (performance.now() - begun) / 1000);
    return answer;
  } catch (error) {
    deps.metrics.searched({ mode, outcome: 'error' }, (performance.now() - begun) / 1000);
    throw error;
  }
}

interface Asked {
  readonly mode: SearchMode;
  readonly query: Query;
  readonly vector: QueryVector | FallbackReason | null;
}

/** Returns the vector of a query, or why a hybrid search has none; null if it needs none. */
async function vectorOf(deps: ApiDeps, query: Query, mode: SearchMode): Promise<Asked['vector']> {
  if (mode === 'text') return null;
  const index = await readIndex(deps);
  const vector = await queryVector(deps, index?.id ?? 0, isMeaningful(query) ? query.text : null);
  if (mode === 'vector' && typeof vector === 'string') throw noVector(vector);
  return vector;
}

const isMeaningful = ({ text }: Query): boolean => meaningful.test(text);

async function readIndex({ db, config }: ApiDeps): Promise<SearchIndex | null> {
  const index = await readCurrentIndex(db);
  if (index !== null) assertReadable(index, config);
  return index;
}

async function answerTo(deps: ApiDeps, request: SearchRequest, asked: Asked): Promise<SearchAnswer> {
  const { limiter, rerank } = deps.search;
  const find = (): Promise<Found> => findOrFallBack(deps, request, asked);
  const show = async ({ mode, fallback, hits, toHits }: Found): Promise<SearchAnswer> => ({
    ...{ mode, fallback },
    items: await toHits(hits.slice(0, request.limit ?? defaultLimit)),
  });
  if (rerank === null) return await limiter.run(async () => await show(await find()));
  const found = await limiter.run(find);
  const hits = await inBestOrder(deps, rerank, asked.query, found.hits);
  return await limiter.run(async () =>
    show({ ...found, hits: await checkAgain(deps.db, scopeOf(request), hits) }),
  );
}

/** What a search found, best first, and how to read the rest of it. */
interface Found extends Pick<SearchAnswer, 'mode' | 'fallback'> {
  readonly hits: readonly Collected[];
  readonly toHits: (hits: readonly Collected[]) => Promise<readonly SearchHit[]>;
}

/** Searches by words if a hybrid search finds out that the index no longer has vectors of the model. */
async function findOrFallBack(deps: ApiDeps, request: SearchRequest, asked: Asked): Promise<Found> {
  try {
    return await findIn(deps, request, asked);
  } catch (error) {
    if (asked.mode !== 'hybrid' || !(error instanceof ServiceError) || error.code !== 'NO_VECTORS')
      throw error;
    return await findIn(deps, request, { ...asked, vector: 'NO_VECTORS' });
  }
}

async function findIn(deps: ApiDeps, request: SearchRequest, asked: Asked): Promise<Found> {
  for (let tries = 1; ; tries++) {
    const answer = await findOnce(deps, request, asked, await readIndex(deps));
    if (answer !== null) return answer;
    if (tries === mostTries)
      throw new ServiceError('SEARCH_UNAVAILABLE', 'The search index is changing too fast. Try again.');
  }
}

/** Returns as many hits as a reranker needs; null if the index changed meanwhile. */
async function findOnce(
  deps: ApiDeps,
  request: SearchRequest,
  { mode, query, vector }: Asked,
  index: SearchIndex | null,
): Promise<Found | null> {
  const reason = typeof vector === 'string' ? vector : null;
  const used = reason === null ? mode : 'text';
  const fallback = reason === null ? null : ({ from: 'hybrid', reason } as const);
  // Before anything is indexed, the tables may not exist.
  if (index === null || index.resources === 0 || !isMeaningful(query))
    return { mode: used, fallback, hits: [], toHits: () => Promise.resolve([]) };

  const reader = await deps.search.engine.open(index);
  const rank = rankerOf(reader, { query, vector, mode: used });
  const { limit = defaultLimit, per_resource = 3, context = 0 } = request;
  const hits = await collect({
    ...{ db: deps.db, index, reader, rank, query, scope: scopeOf(request) },
    limit: poolSize(deps, query, limit),
    perResource: per_resource,
    isByWords: used === 'text',
  });
  if (hits === null) return null;
  const options = { reader, query, context, config: deps.config };
  return { mode: used, fallback, hits, toHits: (some) => toHits(some, options) };
}

function rankerOf(reader: IndexReader, { query, vector, mode }: Asked): Ranker {
  const text = byText(reader, query);
  if (mode === 'text' || vector === null || typeof vector === 'string') return text;
  const nearest = byVector(reader, vector);
  if (query.phrases.length > 0) return byPhrase(text, nearest, mode);
  return mode === 'vector' ? nearest : byBoth(text, nearest);
}

function scopeOf({ filter = {}, resource_id, include_disabled = false }: SearchRequest): SearchScope {
  return {
    filter,
    resourceIds: resource_id === undefined ? null : resource_id.map((id) => id.toLowerCase()),
    includeDisabled: include_disabled,
  };
}

/**
 * Returns how many hits to collect: a reranker needs more than are shown, and a smaller limit must not change the order.
 */
function poolSize({ search: { rerank } }: ApiDeps, { phrases, words }: Query, limit: number): number {
  const isOrderedAnew = rerank !== null || (phrases.length > 0 && words.length > 0);
  return Math.max(limit, isOrderedAnew ? mostReranked : defaultLimit);
}

async function inBestOrder(
  { search: { reranking }, log, metrics }: ApiDeps,
  rerank: Rerank,
  query: Query,
  found: readonly Collected[],
): Promise<readonly Collected[]> {
  if (found.length < 2) return found;
  const begun = performance.now();
  try {
    return await reranking.run(async () => {
      if (performance.now() - begun > mostRerankWaitMs)
        throw new Error('Too many searches are waiting for the reranker.');
      return await reranked(rerank, query, found);
    });
  } catch (err) {
    metrics.rerankFailed();
    log.warn({ err }, 'the reranker failed; hits stay in the order in which they were found');
    return found;
  }
}
