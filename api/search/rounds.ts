import { byRank } from '../../runtime/search/by-rank.js';
import type { Ranked } from '../../runtime/search/engine.js';
import { groupBy } from '../../core/group-by.js';
import { keyOf } from './rankers.js';

/** A round of ranking. The first one is the usual search. */
export interface Round {
  readonly number: number;
  /** Resources to leave out. */
  readonly exceptIds: readonly string[];
  /** What earlier rounds ranked and may be shown. */
  readonly earlier: readonly Ranked[];
}

export const firstRound: Round = { number: 1, exceptIds: [], earlier: [] };

/** Each round ranks the maximum number of chunks. */
const mostRounds = 5;
/** Longer lists of ids would slow down the index. */
const mostExcept = 5_000;

/**
 * Returns the round after one that ranked the maximum number of chunks, which may all be of one long log. It leaves out
 * the resources that can add no hit: hidden ones, and those with as many hits as they may have. Null if there are none.
 */
export function nextRound(
  { number, exceptIds }: Round,
  ranked: readonly Ranked[],
  taken: readonly Omit<Ranked, 'score'>[],
  { isHidden, perResource }: { readonly isHidden: (id: string) => boolean; readonly perResource: number },
): Round | null {
  const [known, counts] = [new Set(exceptIds), groupBy(taken, (hit) => hit.resource_id)];
  const spent = [...groupBy(ranked, (hit) => hit.resource_id)]
    .filter(([id]) => !known.has(id) && (isHidden(id) || counts.get(id)?.length === perResource))
    .sort(([, some], [, others]) => others.length - some.length)
    .slice(0, mostExcept - known.size)
    .map(([id]) => id);
  if (spent.length === 0 || number === mostRounds) return null;
  const [except, kept] = [new Set([...exceptIds, ...spent]), new Set(taken.map(keyOf))];
  return {
    number: number + 1,
    exceptIds: [...except],
    earlier: ranked.filter((hit) => !except.has(hit.resource_id) || kept.has(keyOf(hit))),
  };
}

/** Adds what a round ranked to what earlier ones did. Chunks keep the scores of their first round. */
export function withEarlier({ earlier }: Round, ranked: readonly Ranked[]): readonly Ranked[] {
  if (earlier.length === 0) return ranked;
  const known = new Set(earlier.map(keyOf));
  return [...earlier, ...ranked.filter((hit) => !known.has(keyOf(hit)))].sort(byRank);
}
