import { byRank } from '../../runtime/search/by-rank.js';
import type { IndexReader, Ranked, RankOptions } from '../../runtime/search/engine.js';
import type { Query } from '../../runtime/search/query.js';
import { isIdeographic } from '../../runtime/search/words/related.js';
import { noVector, type QueryVector } from './query-vector.js';

/** The maximum number of chunks that a search ranks. */
export const mostRanked = 10_000;

export interface RankRequest extends RankOptions {
  /** How many chunks earlier rounds have ranked: those of this round come after them. Default: 0. */
  readonly rankedBefore?: number;
}

/** Chunks, best first. `isAll` means that there are no more. */
interface RankedChunks {
  readonly ranked: readonly Ranked[];
  readonly isAll: boolean;
}

export type Ranker = (options: RankRequest) => Promise<RankedChunks>;

/** Ranks by words: chunks with the longest phrase, or with any word. */
export function byText(reader: IndexReader, query: Query): Ranker {
  const { terms, phrases } = query;
  const [phrase] = [...phrases].sort((one, other) => other.letters.length - one.letters.length);
  const word = onlyWordOf(query);
  return async (options) => {
    if (phrase === undefined && terms.length === 0) return { ranked: [], isAll: true };
    if (phrase === undefined && word !== null) return await exactFirst(reader, word, terms, options);
    const ranked =
      phrase === undefined
        ? await reader.rankTerms(terms, options)
        : await reader.rankPhrase(phrase, options);
    return { ranked, isAll: ranked.length < options.limit };
  };
}

/**
 * The only word of a query, if it also finds other forms. Null for an ideographic word: where a text has the same
 * characters, the segmenter may have made them part of a longer word.
 */
function onlyWordOf({ words: [word], words, terms }: Query): string | null {
  return word === undefined || words.length > 1 || terms.length === 1 || isIdeographic(word) ? null : word;
}

/**
 * Ranks chunks with the exact word first, then those with other forms: BM25 would rank a short chunk with a related form
 * above a long one with the word. The second query is only needed for rare words, which cost little, and at the maximum
 * number of chunks.
 */
async function exactFirst(
  reader: IndexReader,
  word: string,
  terms: readonly string[],
  options: RankOptions,
): Promise<RankedChunks> {
  const exact = await reader.rankTerms([word], options);
  const ranked = exact.map((hit) => ({ ...hit, isExact: true as const }));
  if (exact.length >= options.limit && options.limit < mostRanked) return { ranked, isAll: false };
  const all = await reader.rankTerms(terms, options);
  const known = new Set(exact.map(keyOf));
  const others = all.filter((hit) => !known.has(keyOf(hit)));
  return { ranked: [...ranked, ...others], isAll: all.length < options.limit };
}

/** Throws NO_VECTORS if the index contains no such vectors any more. */
export function byVector(reader: IndexReader, { vector, space }: QueryVector): Ranker {
  return async (options) => {
    const ranked = await reader.rankVectors(vector, space, options);
    const isFirst = options.resourceIds === null && (options.rankedBefore ?? 0) === 0;
    if (ranked.length === 0 && isFirst) throw noVector('NO_VECTORS');
    return { ranked, isAll: ranked.length < options.limit };
  };
}

/** The usual value, which keeps the top hits of one list from deciding alone (Cormack, Clarke and Büttcher, 2009). */
const rankConstant = 60;

/** Combines a ranking by words with one by vectors, by reciprocal rank fusion. */
export function byBoth(text: Ranker, nearest: Ranker): Ranker {
  return async (options) => fused(await Promise.all([text(options), nearest(options)]), options);
}

/**
 * Ranks for a query with phrases, by words and vectors or, for `vector`, only by vectors. Every hit must contain the
 * longest phrase. So when `text` has ranked all chunks with it, vectors rank only those: a search for a rare phrase would
 * otherwise read thousands of texts without it.
 */
export function byPhrase(text: Ranker, nearest: Ranker, mode: 'vector' | 'hybrid'): Ranker {
  return async (options) => {
    const found = await text(options);
    const near = found.isAll ? await nearestAmong(found.ranked, nearest, options) : await nearest(options);
    return mode === 'vector' ? near : fused([found, near], options);
  };
}

/** Ranks the given chunks by their vectors. */
async function nearestAmong(
  chunks: readonly Ranked[],
  nearest: Ranker,
  options: RankRequest,
): Promise<RankedChunks> {
  const resourceIds = [...new Set(chunks.map((hit) => hit.resource_id))];
  const { ranked, isAll } = await nearest({ ...options, limit: mostRanked, resourceIds });
  // Throws NO_VECTORS if the index has none, of whatever resource.
  if (ranked.length === 0) await nearest({ ...options, limit: 1 });
  const keys = new Set(chunks.map(keyOf));
  return { ranked: ranked.filter((hit) => keys.has(keyOf(hit))), isAll };
}

function fused(lists: readonly RankedChunks[], { rankedBefore = 0 }: RankRequest): RankedChunks {
  const hits = new Map<string, Ranked>();
  for (const { ranked } of lists) {
    for (const [place, hit] of ranked.entries()) {
      const key = keyOf(hit);
      const score = (hits.get(key)?.score ?? 0) + 1 / (rankConstant + rankedBefore + place + 1);
      hits.set(key, { ...hit, score });
    }
  }
  return { ranked: [...hits.values()].sort(byRank), isAll: lists.every(({ isAll }) => isAll) };
}

export const keyOf = ({ resource_id, run, index }: Omit<Ranked, 'score'>): string =>
  `${resource_id} ${run} ${index}`;
