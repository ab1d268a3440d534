import { withoutMarks, wordsOf } from '../../../test/plugins/support/html-recall.js';

/** In a document with fewer words, each word has too much weight. */
const leastWords = 20;

/**
 * Returns the share of a document's words in each program's text. No text is the reference: a word counts as often as
 * at least two of the programs found it.
 *
 * @returns null for a document of fewer than 20 such words
 */
export function wordRecall(texts: Readonly<Record<string, string | null>>): Record<string, number> | null {
  const counts = Object.entries(texts).map(([name, text]) => [name, countWords(text ?? '')] as const);
  const expected = new Map<string, number>();
  for (const word of new Set(counts.flatMap(([, count]) => [...count.keys()]))) {
    const times = counts.map(([, count]) => count.get(word) ?? 0).sort((a, b) => b - a);
    expected.set(word, times[1] ?? 0);
  }
  const all = [...expected.values()].reduce((sum, times) => sum + times, 0);
  if (all < leastWords) return null;
  return Object.fromEntries(
    counts.map(([name, count]) => {
      const found = [...expected].map(([word, times]) => Math.min(times, count.get(word) ?? 0));
      return [name, found.reduce((sum, times) => sum + times, 0) / all];
    }),
  );
}

function countWords(text: string): Map<string, number> {
  const count = new Map<string, number>();
  for (const word of wordsOf(withoutMarks(text))) count.set(word, (count.get(word) ?? 0) + 1);
  return count;
}
