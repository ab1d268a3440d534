import { isIdeographic, pairsOf, stemOf } from './related.js';
import { wordsOf, type Word } from './split.js';

/** Stands before a related form, which no word begins with. */
const mark = '~';

/**
 * What of a text goes into the full text index, separated by spaces: its words in their order, so that phrases are found,
 * then what their related forms have in common. Who looks for a word looks for both, so a text with the word itself scores
 * by both and one with a related form by the second alone.
 */
export function toIndexText(text: string): string {
  const words = [...wordsOf(text)];
  return [...words.map(({ word }) => word), ...new Set(relatedOf(words))].join(' ');
}

/** What is looked for in the index to find words of a query. */
export function toTerms(words: readonly Word[]): readonly string[] {
  return [...new Set([...words.map(({ word }) => word), ...relatedOf(words)])];
}

/** The marked forms: stems, and pairs of characters across words where the segmenter may part the same text otherwise. */
function* relatedOf(words: readonly Word[]): Generator<string> {
  let previous: Word | null = null;
  for (const current of words) {
    const stem = stemOf(current.word);
    if (stem !== null) yield mark + stem;
    if (isIdeographic(current.word)) {
      const touches = previous !== null && previous.end === current.start && isIdeographic(previous.word);
      const before = touches ? Array.from(previous?.word ?? '').at(-1) : '';
      for (const pair of pairsOf(`${before ?? ''}${current.word}`)) yield mark + pair;
    }
    previous = current;
  }
}
