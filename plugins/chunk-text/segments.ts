/** How good a border is for cutting a text: higher is better. A section ends before a heading. */
export const border = { inWord: 0, word: 1, line: 2, sentence: 3, paragraph: 4, section: 5 } as const;

export type Border = (typeof border)[keyof typeof border];

/** A piece of text that is never cut: a word with the white space after it, or a part of a very long word or gap. */
export interface Segment {
  /** In UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  /** Where the trailing white space begins. */
  readonly wordEnd: number;
  /** The border at its end. */
  readonly border: Border;
}

const mostCodePoints = 24;
/** Scripts without spaces between words: each character counts as a word. */
const unspaced = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}';
const sentenceEnd = /[.!?…。！？．]["'”’»)\]」』）]*$/u;
const wideSentenceEnd = /[。！？]["'”’»)\]」』）]*$/u;
const paragraphEnd = /\n[^\S\n]*\n/;
const startsWord = new RegExp(`^[${unspaced}\\p{L}\\p{N}]`, 'u');
const isUnspaced = new RegExp(`[${unspaced}]`, 'u');

/** Cuts a text into segments that cover all of it, of at most `size` / 4 code points. Splits no surrogate pair. */
export function* segmentsOf(text: string, size: number): Generator<Segment> {
  const most = Math.max(1, Math.min(mostCodePoints, Math.floor(size / 8)));
  const pattern = new RegExp(
    `(?:([${unspaced}])|[^\\s${unspaced}]{1,${most}})\\s{0,${most}}|\\s{1,${most}}`,
    'gu',
  );
  for (const match of text.matchAll(pattern)) {
    const segment = match[0];
    const end = match.index + segment.length;
    const word = segment.trimEnd();
    const next = text.slice(end, end + 2);
    yield {
      start: match.index,
      end,
      wordEnd: match.index + word.length,
      border: borderAfter(word, segment.slice(word.length), next),
    };
  }
}

function borderAfter(word: string, space: string, next: string): Border {
  if (next === '') return border.paragraph;
  if (/^\s/.test(next)) return border.inWord;
  if (space === '') {
    if (!startsWord.test(next)) return border.inWord;
    if (wideSentenceEnd.test(word)) return border.sentence;
    return isUnspaced.test(word) || isUnspaced.test(next) ? border.word : border.inWord;
  }
  if (paragraphEnd.test(space)) return border.paragraph;
  if (sentenceEnd.test(word)) return border.sentence;
  return space.includes('\n') ? border.line : border.word;
}
