import type { CodePointRange } from '../../core/documents/code-points.js';
import type { Phrase, Query } from './query.js';
import { isIdeographic, stemOf } from './words/related.js';
import { lettersOf, readingsOf, type Word } from './words/split.js';

/** The searched parts of a chunk: the headings above it count like its text. */
export interface Searched {
  readonly headings: readonly string[];
  readonly text: string;
}

/** Whether a chunk contains every phrase of a query and nothing that the query excludes. */
export function isMatch({ headings, text }: Searched, { phrases, excluded }: Query): boolean {
  if (phrases.length === 0 && excluded.length === 0) return true;
  const parts = [...headings, text]
    .flatMap(readingsOf)
    .map((words) => lettersOf(words).map(({ word }) => word));
  const has = (phrase: Phrase): boolean =>
    parts.some((letters) => placesOf(letters, phrase.letters).length > 0);
  return phrases.every(has) && !excluded.some(has);
}

/** How many different words of a query, outside its phrases, a chunk contains. */
export function countWords({ headings, text }: Searched, query: Query): number {
  const words = new Set(
    readingsOf([...headings, text].join('\n')).flatMap((one) => one.map(({ word }) => word)),
  );
  return query.words.filter((word) => words.has(word)).length;
}

/** UTF-16 code units of a text in which matches are looked for; the segmenter takes 2 µs for each Chinese one. */
const mostHighlighted = 16 * 1024;

/**
 * The parts of a text that match a query: its words, their parts and related forms, its phrases, and what it writes without
 * a break. Adjacent parts are merged. A long text has none after its first 16,384 characters.
 */
export function highlightsOf(whole: string, query: Query): readonly CodePointRange[] {
  const text = whole.slice(0, mostHighlighted);
  const searched = [...query.words, ...query.parts];
  const exact = new Set(searched);
  const stems = new Set(searched.map(stemOf).filter((stem) => stem !== null));
  const ranges: { start: number; end: number }[] = [];
  // A segmenter may have made them part of a longer word. Single characters are part of many words.
  const ideographic = query.words
    .filter(isIdeographic)
    .map((word) => Array.from(word))
    .filter((word) => word.length > 1);
  const phrases = [...query.phrases.map((one) => one.letters), ...ideographic];
  for (const words of readingsOf(text)) {
    const letters = lettersOf(words);
    const folded = letters.map(({ word }) => word);
    for (const phrase of phrases)
      for (const place of placesOf(folded, phrase)) ranges.push(rangeOf(letters, place, phrase.length));
    const runs = runsOf(text, letters);
    for (const sequence of query.unbroken)
      for (const place of placesOf(folded, sequence))
        if (runs[place] === runs[place + sequence.length - 1])
          ranges.push(rangeOf(letters, place, sequence.length));
    for (const { word, start, end } of words)
      if (exact.has(word) || stems.has(stemOf(word) ?? '')) ranges.push({ start, end });
  }
  return toCodePoints(text, merged(ranges));
}

/** The number of the run that each letter is part of: letters without a break, except for the end of a line. */
function runsOf(text: string, letters: readonly Word[]): readonly number[] {
  let [run, last] = [0, 0];
  return letters.map(({ start, end }) => {
    if (start > last && !lineEnd.test(text.slice(last, start))) run++;
    last = end;
    return run;
  });
}

/** The end of a line, with indentation of the next one. */
const lineEnd = /^[^\S\n]*\n[^\S\n]*$/;

function rangeOf(words: readonly Word[], place: number, count: number): { start: number; end: number } {
  return { start: words[place]?.start ?? 0, end: words[place + count - 1]?.end ?? 0 };
}

/** The positions where a phrase begins among words. */
function placesOf(words: readonly string[], phrase: readonly string[]): number[] {
  const places: number[] = [];
  for (let at = words.indexOf(phrase[0] ?? ''); at !== -1; at = words.indexOf(phrase[0] ?? '', at + 1))
    if (phrase.every((word, offset) => words[at + offset] === word)) places.push(at);
  return places;
}

function merged(ranges: readonly CodePointRange[]): CodePointRange[] {
  const result: { start: number; end: number }[] = [];
  for (const range of [...ranges].sort((one, other) => one.start - other.start)) {
    const last = result.at(-1);
    if (last !== undefined && range.start <= last.end) last.end = Math.max(last.end, range.end);
    else result.push({ ...range });
  }
  return result;
}

/** Converts sorted ranges from UTF-16 code units to code points. */
function toCodePoints(text: string, ranges: readonly CodePointRange[]): CodePointRange[] {
  let [unit, codePoint] = [0, 0];
  const advance = (to: number): number => {
    while (unit < to) {
      unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
      codePoint++;
    }
    return codePoint;
  };
  return ranges.map(({ start, end }) => ({ start: advance(start), end: advance(end) }));
}
