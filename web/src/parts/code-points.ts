/** Returns the UTF-16 index of the code point `offset` in a text. An offset past the end returns the end. */
export function indexOfCodePoint(text: string, offset: number): number {
  let index = 0;
  for (let passed = 0; passed < offset && index < text.length; passed++) {
    index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
  }
  return index;
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
