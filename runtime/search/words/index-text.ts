import type { EventLoopTurns } from '../../../core/in-turns.js';
import { isIdeographic, pairsOf, stemOf } from './related.js';
import { lookEvery, withoutDivisions, wordsInTurns, type Word } from './split.js';

/** Prefix of a related form; no word begins with it. */
const mark = '~';
/** Prefix of a pair of characters that white space or punctuation separates; only phrases ask for it. */
const gapMark = '~~';
/** More groups would hardly narrow a phrase, whose characters are compared anyway, and take longer. */
const mostGroups = 20;

/** The words of a resource that begin before this position count twice: its title and first sentences name its subject. */
const leadLength = 200;

/** Words on each side that are repeated with a word that a line break may divide, so that phrases with it are found. */
const besideDivided = 5;

/**
 * The full text index entry of a text, separated by spaces: its words in order, so that phrases can be found, followed
 * by the stems they share with related forms. A query contains both, so a text with the exact word matches twice and
 * one with only a related form once. Words that line breaks may divide follow in one piece, with the words beside them.
 *
 * @param beginsResource Whether the text is the beginning of its resource.
 */
export async function toIndexText(
  text: string,
  beginsResource: boolean,
  turns: EventLoopTurns,
): Promise<string> {
  const words = await wordsInTurns(text, turns);
  const lead = beginsResource ? words.filter(({ start }) => start < leadLength) : [];
  const joined = await joinedWords(text, turns);
  const parts = [words, lead, joined];
  const forms: (readonly string[])[] = [];
  for (const part of parts) forms.push(await formsOf(part, turns));
  return forms.flat().join(' ');
}

/** The parts of a phrase that are in the entry of every text with the phrase, even if line breaks divide its words. */
export function partsOfPhrase(words: readonly string[]): readonly (readonly string[])[] {
  const longest = besideDivided + 1;
  const count = Math.ceil(words.length / longest);
  return Array.from({ length: count }, (_, index) => {
    const start = Math.max(0, Math.min(index * longest, words.length - longest));
    return words.slice(start, start + longest);
  });
}

/** The words that line breaks may divide, joined, each with the words beside it. */
async function joinedWords(text: string, turns: EventLoopTurns): Promise<readonly Word[]> {
  const joined = withoutDivisions(text);
  if (joined === text) return [];
  const words = await wordsInTurns(joined, turns);
  const near = new Set<Word>();
  for (const [place, { start, end }] of words.entries()) {
    if (place % lookEvery === 0 && turns.isOver()) await turns.next();
    if (joined.slice(start, end) === text.slice(start, end)) continue;
    for (const word of words.slice(Math.max(0, place - besideDivided), place + besideDivided + 1))
      near.add(word);
  }
  return [...near];
}

async function formsOf(words: readonly Word[], turns: EventLoopTurns): Promise<readonly string[]> {
  const related = new Set<string>();
  let forms = 0;
  for (const form of formsOfText(words)) {
    related.add(form);
    if (++forms % lookEvery === 0 && turns.isOver()) await turns.next();
  }
  return [...words.map(({ word }) => word), ...related];
}

function* formsOfText(words: readonly Word[]): Generator<string> {
  yield* relatedOf(words);
  // A phrase of one character also matches inside words, like its exclusion.
  for (const { word } of words) if (isIdeographic(word)) for (const letter of word) yield mark + letter;
}

/** The index terms for the words of a query. */
export function toTerms(words: readonly Word[]): readonly string[] {
  const related = [...relatedOf(words)].filter((form) => !form.startsWith(gapMark));
  return [...new Set([...words.map(({ word }) => word), ...related])];
}

/**
 * Groups of index terms for a phrase with ideographic words, which may be parts of other words in the text, and which
 * white space or punctuation may separate there. A text with the phrase has a term of each group. Null for other phrases.
 */
export function toPhraseTerms(words: readonly Word[]): readonly (readonly string[])[] | null {
  const isPart = (index: number): boolean => isIdeographic(words[index]?.word ?? '');
  if (!words.some((_, index) => isPart(index))) return null;
  const others = words.filter((_, index) => !isPart(index)).map(({ word }) => word);
  // Every other character is in a pair, which fewer texts have.
  const single = words
    .filter((_, index) => isPart(index) && !isPart(index - 1) && !isPart(index + 1))
    .map(({ word }) => word)
    .filter((word) => Array.from(word).length === 1);
  const related = new Set(Array.from(relatedOf(words), (form) => form.replace(/^~+/, '')));
  return [
    ...[...new Set([...others, ...single.map((letter) => mark + letter)])].map((term) => [term]),
    ...Array.from(related, (form) => [mark + form, gapMark + form]),
  ].slice(0, mostGroups);
}

/**
 * The marked forms: stems, and pairs of characters, also across words, since the segmenter may split the same text
 * differently.
 */
function* relatedOf(words: readonly Word[]): Generator<string> {
  let previous: Word | null = null;
  for (const current of words) {
    const stem = stemOf(current.word);
    if (stem !== null) yield mark + stem;
    else if (isIdeographic(current.word)) {
      if (previous !== null && isIdeographic(previous.word)) {
        const across = `${Array.from(previous.word).at(-1) ?? ''}${Array.from(current.word)[0] ?? ''}`;
        yield (previous.end === current.start ? mark : gapMark) + across;
      }
      for (const pair of pairsOf(current.word)) yield mark + pair;
    }
    previous = current;
  }
}
