/** Where in a text its code point `offset` begins, counted as JavaScript counts. An offset past the end is the end. */
export function indexOfCodePoint(text: string, offset: number): number {
  let index = 0;
  for (let passed = 0; passed < offset && index < text.length; passed++) {
    index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
  }
  return index;
}

/** A part of a text, from one index up to another. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Spans counted in code points as the API counts, in the order of the text, as JavaScript counts. */
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
