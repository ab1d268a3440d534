import type { Turns } from '../../../core/in-turns.js';
import { isIdeographic, pairsOf, stemOf } from './related.js';
import { lookEvery, wordsInTurns, type Word } from './split.js';

/** Prefix of a related form; no word begins with it. */
const mark = '~';

/** The words of a resource that begin before this position count twice: its title and first sentences name its subject. */
const leadLength = 200;

/**
 * The full text index entry of a text, separated by spaces: its words in order, so that phrases can be found, followed
 * by the stems they share with related forms. A query contains both, so a text with the exact word matches twice and
 * one with only a related form once.
 *
 * @param beginsResource Whether the text is the beginning of its resource.
 */
export async function toIndexText(text: string, beginsResource: boolean, turns: Turns): Promise<string> {
  const words = await wordsInTurns(text, turns);
  const lead = beginsResource ? words.filter(({ start }) => start < leadLength) : [];
  return [...(await formsOf(words, turns)), ...(await formsOf(lead, turns))].join(' ');
}

async function formsOf(words: readonly Word[], turns: Turns): Promise<readonly string[]> {
  const related = new Set<string>();
  let forms = 0;
  for (const form of relatedOf(words)) {
    related.add(form);
    if (++forms % lookEvery === 0 && turns.isOver()) await turns.next();
  }
  return [...words.map(({ word }) => word), ...related];
}

/** The index terms for the words of a query. */
export function toTerms(words: readonly Word[]): readonly string[] {
  return [...new Set([...words.map(({ word }) => word), ...relatedOf(words)])];
}

/**
 * The index terms that a text with a phrase must have, for a phrase with ideographic words: these may be parts of other
 * words in the text. Null for other phrases, and for a single ideograph.
 */
export function toPhraseTerms(words: readonly Word[]): readonly string[] | null {
  const others = words.filter(({ word }) => !isIdeographic(word)).map(({ word }) => word);
  const terms = [...new Set([...others, ...relatedOf(words)])];
  return others.length === words.length || terms.length === 0 ? null : terms;
}

/**
 * The marked forms: stems, and pairs of characters across words where the segmenter may split the same text
 * differently.
 */
function* relatedOf(words: readonly Word[]): Generator<string> {
  let previous: Word | null = null;
  for (const current of words) {
    const stem = stemOf(current.word);
    if (stem !== null) yield mark + stem;
    else if (isIdeographic(current.word)) {
      const touches = previous !== null && previous.end === current.start && isIdeographic(previous.word);
      const before = touches ? Array.from(previous?.word ?? '').at(-1) : '';
      for (const pair of pairsOf(`${before ?? ''}${current.word}`)) yield mark + pair;
    }
    previous = current;
  }
}
