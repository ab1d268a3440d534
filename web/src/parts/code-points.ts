/** Returns the UTF-16 index of the code point `offset` in a text. An offset past the end returns the end. */
export function indexOfCodePoint(text: string, offset: number): number {
  let index = 0;
  for (let passed = 0; passed < offset && index < text.length; passed++) {
    index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
  }
  return index;
}

/** Returns the number of code points in a text. */
export const countCodePoints = (text: string): number =>
  text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);

/** Returns an index that does not split a surrogate pair: the given one, or the next. */
export const afterPair = (text: string, index: number): number =>
  /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(Math.max(0, index - 1), index + 1)) ? index + 1 : index;

/** Splits a text into pieces of about this many characters, at least one. Splits no surrogate pair. */
export function splitEvery(text: string, length: number): readonly string[] {
  const pieces: string[] = [];
  for (let start = 0; start === 0 || start < text.length;) {
    const end = afterPair(text, start + length);
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}

/** A part of a text; the end is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Converts spans in code points, as the API counts, to UTF-16 indexes. Spans must be in the order of the text. */
export function toIndexes(text: string, spans: readonly Span[]): readonly Span[] {
  const converted: Span[] = [];
  let offset = 0;
  let index = 0;
  const advance = (to: number): number => {
    index += indexOfCodePoint(text.slice(index), to - offset);
    offset = Math.max(offset, to);
    return index;
  };
  for (const { start, end } of spans) converted.push({ start: advance(start), end: advance(end) });
  return converted;
}
