import { partsOf } from './words/compounds.js';
import { lettersOf, wordsOf, type Word } from './words/split.js';
import { toPhraseTerms, toTerms } from './words/index-text.js';
import { isIdeographic } from './words/related.js';
import { mayHaveCompounds, withoutStopWords } from './stop-words.js';

export interface Phrase {
  /** Its words as the full text index contains them. */
  readonly words: readonly string[];
  /** Its words, with ideographic ones split into characters. */
  readonly letters: readonly string[];
  /** Groups of index terms: a text with the phrase has a term of each. Null if they are the same as its words. */
  readonly terms: readonly (readonly string[])[] | null;
}

/** A parsed query. Words are folded. */
export interface Query {
  /** Terms for the full text index, from the words outside phrases; any of them may match. */
  readonly terms: readonly string[];
  readonly words: readonly string[];
  /** Parts of words that may be compounds, also in `terms`. */
  readonly parts: readonly string[];
  /**
   * The characters of Chinese or Japanese text without breaks, if the segmenter cut it into several words of which at
   * least one counts. Only for highlights: some words in hiragana are cut into characters, most of which are stop
   * words.
   */
  readonly unbroken: readonly (readonly string[])[];
  /** Phrases that must occur literally. */
  readonly phrases: readonly Phrase[];
  /** Phrases that must not occur. */
  readonly excluded: readonly Phrase[];
  /** The query without exclusions, as input for a model. */
  readonly text: string;
}

/** The maximum number of words used from a query; the rest is ignored. */
const mostWords = 100;
/** The maximum number of parts of compounds. */
const mostParts = 200;
/** The maximum number of characters without a break to highlight; texts hardly repeat a longer sentence. */
const mostUnbroken = 60;
/**
 * A phrase or a word, with its minus sign, if any, unless that belongs to an operator such as `->`. A quotation mark
 * without a second one begins a phrase up to the end. After a letter or digit, as in `5"`, a mark begins a phrase only
 * if a second one follows and no white space directly follows the first.
 */
const part =
  /(?<sign>-(?=[^\s\->=*]))?(?:(?:(?<![\p{L}\p{N}])|(?=["“”„][^\s"“”„][^"“”„]*["“”„]))["“”„](?<phrase>[^"“”„]*)["“”„]?|(?<word>[^\s"“”„]+))/gu;

/** Parses a query: words, "phrases", -without and -"without a phrase". Punctuation is ignored, also in --option. */
export function parseQuery(text: string): Query {
  const phrases: Phrase[] = [];
  const excluded: Phrase[] = [];
  const plain: string[] = [];
  const kept: string[] = [];
  for (const found of text.matchAll(part)) {
    const { sign, phrase, word } = found.groups ?? {};
    // A hyphen inside a word does not exclude anything.
    const before = text[found.index - 1];
    const excludes = sign !== undefined && (before === undefined || /[\s"“”„]/u.test(before));
    const words = wordsOf(phrase ?? word ?? '').slice(0, mostWords);
    if (excludes) {
      if (words.length > 0) excluded.push(toPhrase(words));
      continue;
    }
    kept.push(phrase ?? found[0]);
    if (phrase !== undefined) {
      if (words.length > 0) phrases.push(toPhrase(words));
    } else plain.push(word ?? '');
  }
  const written = plain.join(' ');
  const all = wordsOf(written).slice(0, mostWords);
  const telling = withoutStopWords(all, written);
  // "The Who" consists only of stop words.
  const words = telling.length > 0 || phrases.length > 0 ? telling : all;
  const parts = mayHaveCompounds(all.map(textOf)) ? words.flatMap(partsOf).slice(0, mostParts) : [];
  return {
    terms: toTerms([...words, ...parts]),
    words: [...new Set(words.map(textOf))],
    parts: parts.map(textOf),
    unbroken: distinct(unbrokenIn(all, new Set(words)), (letters) => letters),
    phrases: distinct(phrases, ({ letters }) => letters),
    excluded: distinct(excluded, ({ letters }) => letters),
    text: kept.join(' '),
  };
}

const textOf = ({ word }: Word): string => word;

/** Leaves out what has the same characters as another one: looking for it in a text again would take time. */
function distinct<T>(all: readonly T[], keyOf: (one: T) => readonly string[]): readonly T[] {
  return [...new Map(all.map((one) => [keyOf(one).join(' '), one])).values()];
}

function toPhrase(words: readonly Word[]): Phrase {
  return { words: words.map(textOf), letters: lettersOf(words).map(textOf), terms: toPhraseTerms(words) };
}

/** The characters of ideographic words that follow each other without a break, if one of them counts. */
function unbrokenIn(all: readonly Word[], counting: ReadonlySet<Word>): readonly (readonly string[])[] {
  const sequences: Word[][] = [];
  for (const one of all.filter(({ word }) => isIdeographic(word))) {
    const last = sequences.at(-1);
    if (last?.at(-1)?.end === one.start) last.push(one);
    else sequences.push([one]);
  }
  return sequences
    .filter((sequence) => sequence.length > 1 && sequence.some((one) => counting.has(one)))
    .map((sequence) => lettersOf(sequence).map(textOf))
    .filter(({ length }) => length <= mostUnbroken);
}
