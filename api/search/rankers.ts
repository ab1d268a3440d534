import { byRank } from '../../runtime/search/by-rank.js';
import type { IndexReader, Ranked, RankOptions } from '../../runtime/search/engine.js';
import type { Query } from '../../runtime/search/query.js';
import { noVector, type QueryVector } from './query-vector.js';

/** Ranks chunks. `isAll` means that there are no more. */
export type Ranker = (
  options: RankOptions,
) => Promise<{ readonly ranked: readonly Ranked[]; readonly isAll: boolean }>;

/** Ranks by words: chunks with the longest phrase, or with any word. */
export function byText(reader: IndexReader, { terms, phrases }: Query): Ranker {
  const [phrase] = [...phrases].sort((one, other) => other.letters.length - one.letters.length);
  return async (options) => {
    if (phrase === undefined && terms.length === 0) return { ranked: [], isAll: true };
    const ranked =
      phrase === undefined
        ? await reader.rankTerms(terms, options)
        : await reader.rankPhrase(phrase, options);
    return { ranked, isAll: ranked.length < options.limit };
  };
}

/** Throws NO_VECTORS if the index contains no such vectors any more. */
export function byVector(reader: IndexReader, { vector, space }: QueryVector): Ranker {
  return async (options) => {
    const ranked = await reader.rankVectors(vector, space, options);
    if (ranked.length === 0 && options.resourceIds === null) throw noVector('NO_VECTORS');
    return { ranked, isAll: ranked.length < options.limit };
  };
}

/** The usual value, which keeps the top hits of one list from deciding alone (Cormack, Clarke and Büttcher, 2009). */
const rankConstant = 60;

/** Combines several rankings by reciprocal rank fusion. */
export function byAllOf(rankers: readonly Ranker[]): Ranker {
  return async (options) => {
    const lists = await Promise.all(rankers.map((ranker) => ranker(options)));
    const fused = new Map<string, Ranked>();
    for (const { ranked } of lists) {
      for (const [place, hit] of ranked.entries()) {
        const key = keyOf(hit);
        const score = (fused.get(key)?.score ?? 0) + 1 / (rankConstant + place + 1);
        fused.set(key, { ...hit, score });
      }
    }
    const ranked = [...fused.values()].sort(byRank);
    return { ranked, isAll: lists.every(({ isAll }) => isAll) };
  };
}

export const keyOf = ({ resource_id, run, index }: Omit<Ranked, 'score'>): string =>
  `${resource_id} ${run} ${index}`;
