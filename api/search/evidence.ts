import type { Ranked } from '../../runtime/search/engine.js';
import { groupBy } from '../../core/group-by.js';
import { stemOf } from '../../runtime/search/words/related.js';
import { wordsOf } from '../../runtime/search/words/split.js';

/** The bonus for the beginning of a resource, which introduces its whole subject. */
const beginningShare = 0.2;
/** The bonus for a name with every word of the query. Names are not in the index. */
const nameShare = 0.5;
/** The bonus from the other chunks of the same resource, as a share of their mean. */
const othersShare = 0.2;

/**
 * Reorders ranked chunks by evidence other than their words: whether they begin their resource, its name, and its other
 * ranked chunks. Otherwise each chunk would be judged like a separate document. Exact words stay above related forms.
 */
export function byEvidence(
  ranked: readonly Ranked[],
  words: readonly string[],
  nameOf: (resourceId: string) => string,
): readonly Ranked[] {
  const asked = formsOf(words);
  const weighed: Ranked[] = [];
  for (const [id, hits] of groupBy(ranked, ({ resource_id }) => resource_id)) {
    const named = formsOf(wordsOf(nameOf(id)).map(({ word }) => word));
    const share = [...asked].filter((form) => named.has(form)).length / Math.max(1, asked.size);
    const own = hits.map(({ score, index }) => {
      const factor = (1 + (index === 0 ? beginningShare : 0)) * (1 + nameShare * share);
      // Outside the full text index, LanceDB gives frequent words a negative score.
      return score + Math.abs(score) * (factor - 1);
    });
    const sum = own.reduce((one, other) => one + other, 0);
    for (const [at, hit] of hits.entries()) {
      const score = own[at] ?? hit.score;
      const others = hits.length === 1 ? 0 : (sum - score) / (hits.length - 1);
      weighed.push({ ...hit, score: score + othersShare * Math.max(0, others) });
    }
  }
  weighed.sort((one, other) => other.score - one.score);
  const exact = weighed.filter(({ isExact }) => isExact);
  const related = weighed.filter(({ isExact }) => !isExact);
  // So that the scores of the answer descend.
  const [next] = related;
  const lift = next === undefined ? 0 : Math.max(0, next.score - (exact.at(-1)?.score ?? next.score));
  return [...exact.map((hit) => ({ ...hit, score: hit.score + lift })), ...related];
}

function formsOf(words: readonly string[]): ReadonlySet<string> {
  return new Set(words.map((word) => stemOf(word) ?? word));
}
