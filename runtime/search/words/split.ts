import type { EventLoopTurns } from '../../../core/in-turns.js';
import { fold, invisible } from './fold.js';
import { isIdeographic } from './related.js';

/** A word of a text and its position, in UTF-16 code units. */
export interface Word {
  /** The folded word. */
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** Maximum number of code points of a word; longer strings are not real words. */
const longest = 60;
/**
 * Invisible characters inside a word, such as joiners and soft hyphens. A soft hyphen may stand at the end of a line. A
 * zero-width space ends a word. No character fits two alternatives, so the time grows linearly.
 */
const between = String.raw`(?:\u00ad(?:\r?\n|[ \t])?|(?![\u00ad\u200b])\p{Cf})+`;
const runOf = (letters: string): RegExp => new RegExp(`${letters}+(?:${between}${letters}+)*`, 'gu');
const run = runOf(String.raw`[\p{L}\p{N}\p{M}]`);
/**
 * Scripts that are written without spaces: Chinese, Japanese, Thai, Lao, Khmer, Burmese; also marks that belong to no
 * script: those of decomposed kana, and variation selectors.
 */
const unspaced = runOf(
  String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々ｰﾞﾟ\u3099\u309a\p{VS}]`,
);
/** Marks and invisible characters, at which the segmenter would separate words. */
const joined = /[\u3099\u309a\p{VS}\p{Cf}]/u;
const hasUnspaced =
  /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u3400-\u9fff\uff66-\uff9f\u{20000}-\u{3ffff}]/u;
/** Length of the segmenter's input: its run time grows faster than the length. */
const segmentLength = 2_000;

/** Parts between two looks at the clock; a look takes a third as long as a Latin word. */
export const lookEvery = 100;

let segmenter: Intl.Segmenter | null = null;

/** The words of a text in order: runs of letters and digits, and the segmenter's output for scripts without spaces. */
export function wordsOf(text: string): readonly Word[] {
  const words: Word[] = [];
  for (const _part of addRuns(words, text));
  return words;
}

/** A hyphen at a line end that may divide a word: "docu-" and "ment". It may also belong to the word: "well-" and "known". */
const divided = /[-\u2010](?<=\p{Ll}\p{M}?.)(?=\r?\n\p{Ll})/gu;

/** A text of the same length with a soft hyphen in place of each such hyphen, so that the word is one. */
export function withoutDivisions(text: string): string {
  return text.replace(divided, '\u00ad');
}

/** The words of a text as they are written; if line breaks may divide words, also its words with these words joined. */
export function readingsOf(text: string): readonly (readonly Word[])[] {
  const joined = withoutDivisions(text);
  return joined === text ? [wordsOf(text)] : [wordsOf(text), wordsOf(joined)];
}

/** The same words as `wordsOf` without blocking the event loop: segmenting the longest chunk of Chinese takes a second. */
export async function wordsInTurns(text: string, turns: EventLoopTurns): Promise<readonly Word[]> {
  const words: Word[] = [];
  for (const _part of addRuns(words, text)) if (turns.isOver()) await turns.next();
  return words;
}

/** The words with ideographic ones split into characters: where a segmenter separates those depends on the context. */
export function lettersOf(words: readonly Word[]): readonly Word[] {
  return words.flatMap((one) => {
    if (!isIdeographic(one.word)) return one;
    let start = one.start;
    const isAsWritten = one.word.length === one.end - one.start;
    return Array.from(one.word, (word) => {
      const letter = isAsWritten ? { word, start, end: start + word.length } : { ...one, word };
      start += word.length;
      return letter;
    });
  });
}

/** Adds the words of a text, and yields between its parts. */
function* addRuns(words: Word[], text: string): Generator<void> {
  let runs = 0;
  for (const { 0: found, index } of text.matchAll(run)) {
    if (hasUnspaced.test(found)) yield* addSegmented(words, found, index);
    else addWord(words, found, index);
    if (++runs % lookEvery === 0) yield;
  }
}

function* addSegmented(words: Word[], found: string, offset: number): Generator<void> {
  let done = 0;
  for (const { 0: part, index } of found.matchAll(unspaced)) {
    if (index > done) addWord(words, found.slice(done, index), offset + done);
    for (let from = 0; from < part.length; from += segmentLength) {
      yield;
      addSegments(words, part.slice(from, from + segmentLength), offset + index + from);
    }
    done = index + part.length;
  }
  if (done < found.length) addWord(words, found.slice(done), offset + done);
}

function addSegments(words: Word[], part: string, offset: number): void {
  segmenter ??= new Intl.Segmenter('ja', { granularity: 'word' });
  const { composed, positions } = compose(part);
  for (const { segment, index } of segmenter.segment(composed)) {
    const start = positions?.[index] ?? index;
    const end = positions?.[index + segment.length] ?? index + segment.length;
    addWord(words, part.slice(start, end), offset + start);
  }
}

/**
 * Composes kana and drops invisible characters: the segmenter would separate words there. `positions` has the position in
 * the given text of each position in the composed one; null: they are the same.
 */
function compose(part: string): { readonly composed: string; readonly positions: readonly number[] | null } {
  if (!joined.test(part)) return { composed: part, positions: null };
  let composed = '';
  const positions: number[] = [];
  for (const { 0: letter, index } of part.matchAll(/\P{M}?\p{M}*/gu)) {
    composed += letter.replace(invisible, '').normalize('NFC');
    while (positions.length < composed.length) positions.push(index);
  }
  return { composed, positions: [...positions, part.length] };
}

function addWord(words: Word[], found: string, start: number): void {
  const folded = fold(found);
  const word = folded.length <= longest ? folded : Array.from(folded).slice(0, longest).join('');
  // Marks alone fold to nothing. A part of a long run may begin with the line break after a soft hyphen.
  if (word.trim() !== '') words.push({ word, start, end: start + found.length });
}
