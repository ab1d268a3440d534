import { countCodePoints } from '../../core/documents/code-points.js';
import { firstWhere } from '../../core/first-where.js';
import { headingsIn } from './headings.js';
import { partMeasure, type Measure, type PartMeasure } from './measures.js';
import { border, segmentsOf, type Border } from './segments.js';

/** A text's segments. A position is the number of segments before it. */
export class SegmentedText {
  readonly #text: string;
  readonly #measurePart: PartMeasure;
  /** By position: the UTF-16 code units, code points and units before it, and the border there. */
  readonly #offsets: number[] = [0];
  readonly #codePoints: number[] = [0];
  readonly #units: number[] = [0];
  readonly #borders: Border[] = [border.paragraph];
  /** The best kind of border that the text can have. */
  readonly #bestOfAll: Border;
  /** The size of whole texts divided by the sum of their segments' sizes: a token may span segments. */
  #ratio = 1;

  constructor(text: string, size: number, measure: Measure, isMarkdown: boolean) {
    this.#text = text;
    this.#bestOfAll = isMarkdown ? border.section : border.paragraph;
    const headings = isMarkdown ? headingsIn(text) : null;
    let heading = headings?.next().value;
    this.#measurePart = partMeasure(text, measure);
    let codePoints = 0;
    let units = 0;
    // Encodings join a word with the blank before it. Most words measured that way are known.
    let blank = 0;
    for (const segment of segmentsOf(text, size)) {
      const word = text.slice(segment.start, segment.wordEnd);
      const space = text.slice(segment.wordEnd, segment.end);
      codePoints += countCodePoints(word) + space.length;
      units += measure(text.slice(segment.start - blank, segment.wordEnd));
      blank = space.endsWith(' ') ? 1 : 0;
      if (space.length > blank) units += measure(space.slice(0, space.length - blank));
      this.#offsets.push(segment.end);
      this.#codePoints.push(codePoints);
      this.#units.push(units);
      while (heading !== undefined && heading.start < segment.end) heading = headings?.next().value;
      this.#borders.push(heading?.start === segment.end ? border.section : segment.border);
    }
  }

  get count(): number {
    return this.#offsets.length - 1;
  }

  /** In UTF-16 code units. */
  offset(position: number): number {
    return this.#offsets[position] ?? 0;
  }

  /** Whether a heading begins at the position. */
  endsSection(position: number): boolean {
    return this.#borders[position] === border.section;
  }

  codePoints(position: number): number {
    return this.#codePoints[position] ?? 0;
  }

  slice(start: number, end: number): string {
    return this.#text.slice(this.#offsets[start], this.#offsets[end]);
  }

  /** The best end of a chunk that begins at `start`, with at most `most` and, if possible, at least `least` units. */
  fit(start: number, most: number, least: number): { end: number; units: number } {
    let budget = most;
    for (;;) {
      const furthest = Math.max(start + 1, this.#within(start, budget));
      const end = this.#bestBorder(start, furthest, Math.min(least, budget));
      const units = this.#measure(start, end);
      if (units <= most || end === start + 1) {
        const estimate = this.#estimate(start, end);
        if (estimate > 0) this.#ratio = Math.min(4, Math.max(0.25, (this.#ratio * units) / estimate));
        return { end, units };
      }
      budget = Math.min(this.#estimate(start, end) - 1, budget - (units - most));
    }
  }

  /** The start of the chunk after one that ends at `end`: at most `overlap` units earlier, but after `start`. */
  shared(start: number, end: number, overlap: number): number {
    let position = end;
    const isShort = (from: number): boolean => this.#estimate(from, end) <= overlap;
    while (position - 1 > start && isShort(position - 1)) position--;
    position = this.#nextWord(position, end, overlap / 2);
    while (position < end && this.#measure(position, end) > overlap) {
      position = this.#nextWord(position + 1, end, overlap / 2);
    }
    return position;
  }

  /** The first start of a word at or after `position` that leaves at least `least` units; otherwise `position`. */
  #nextWord(position: number, end: number, least: number): number {
    for (let at = position; at < end && this.#estimate(at, end) >= least; at++) {
      if (this.#borders[at] !== border.inWord) return at;
    }
    return position;
  }

  #measure(start: number, end: number): number {
    return this.#measurePart(this.offset(start), this.offset(end));
  }

  #estimate(start: number, end: number): number {
    return ((this.#units[end] ?? 0) - (this.#units[start] ?? 0)) * this.#ratio;
  }

  /** Returns the last position that is at most `budget` units from `start`. */
  #within(start: number, budget: number): number {
    return firstWhere(start, this.count, (last) => this.#estimate(start, last + 1) > budget);
  }

  /** The best border up to `furthest` that is at least `least` units from `start`; the last one of equal borders. */
  #bestBorder(start: number, furthest: number, least: number): number {
    if (furthest === this.count) return furthest;
    let best = furthest;
    for (let at = furthest; at > start && this.#estimate(start, at) >= least; at--) {
      if ((this.#borders[at] ?? 0) > (this.#borders[best] ?? 0)) best = at;
      if (this.#borders[best] === this.#bestOfAll) break;
    }
    return best;
  }
}
