import type { Query } from '../../runtime/search/query.js';
import type { Rerank } from '../../runtime/search/reranker.js';
import type { Collected } from './collect.js';

/** UTF-16 code units of a text that are sent to a reranker; its model truncates longer texts anyway. */
const mostRead = 8_000;

/** Returns hits in a reranker's order, with its scores. Rejects if the reranker fails. */
export async function reranked(
  rerank: Rerank,
  query: Query,
  hits: readonly Collected[],
): Promise<readonly Collected[]> {
  const texts = hits.map(({ chunk }) => chunk.text.slice(0, mostRead).toWellFormed());
  const scores = await rerank(query.text, texts);
  return hits
    .map((hit, place) => ({ ...hit, score: scores[place] ?? hit.score }))
    .sort((one, other) => other.score - one.score);
}
