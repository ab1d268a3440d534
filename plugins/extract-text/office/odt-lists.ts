import { numberOf, type XmlElement } from './xml.js';

interface NumberedLevel {
  readonly start: number;
  /** How many levels a number shows: `1.2` shows two. */
  readonly shown: number;
}

/** Collects which levels of which list styles are numbered (OASIS OpenDocument 1.3, part 3, 16.30 to 16.33). */
export class OdtListStyles {
  /** The numbered levels, by style. */
  readonly #levels = new Map<string, Map<number, NumberedLevel>>();
  #current = new Map<number, NumberedLevel>();

  open({ name, attributes }: XmlElement): void {
    if (name === 'list-style') {
      this.#current = new Map();
      this.#levels.set(attributes['name'] ?? '', this.#current);
    } else if (name === 'list-level-style-number' && attributes['num-format']) {
      const start = numberOf(attributes['start-value']) ?? 1;
      const shown = numberOf(attributes['display-levels']) ?? 1;
      this.#current.set(Number(attributes['level']), { start, shown });
    }
  }

  /** Returns how a level, counted from 1, is numbered; undefined if it has bullets. */
  levelOf(style: string, level: number): NumberedLevel | undefined {
    return this.#levels.get(style)?.get(level);
  }
}

/** How the levels of a list style go on. */
interface Counts {
  /** Where a level continues if a later list continues it. */
  readonly ended: Map<number, number>;
  /** The levels that an item of a level above restarts, unless their next list says otherwise. */
  readonly restarted: Set<number>;
}

interface List {
  readonly style: string;
  /** The counts of its style. */
  readonly counts: Counts;
  /** Whether its numbers continue those of an earlier list. */
  readonly resumes: boolean;
  /** How many levels its numbers show. */
  readonly shown: number;
  /** The next number; null for bullets. */
  next: number | null;
  /** The length of the mark of the open item; 0 if that has ended in Markdown. */
  width: number;
}

/** Of a list style. */
const mostLevels = 10;

/** Lists deeper than this are not indented further: indenting every level would make the output quadratic. */
const deepestIndent = 8;
const bullet = '- ';

/** The open lists of a text document, from the outermost. */
export class OdtLists {
  readonly #styles: OdtListStyles;
  readonly #open: List[] = [];
  /** By list style. */
  readonly #counts = new Map<string, Counts>();
  /** Whether the open item still needs its mark. */
  #isNew = false;

  constructor(styles: OdtListStyles) {
    this.#styles = styles;
  }

  get isInList(): boolean {
    return this.#open.length > 0;
  }

  /** A list without a style has that of the list around it. */
  begin(attributes: XmlElement['attributes']): void {
    const style = attributes['style-name'] ?? this.#open.at(-1)?.style ?? '';
    const level = this.#open.length + 1;
    const { start = null, shown = 1 } = this.#styles.levelOf(style, level) ?? {};
    const counts: Counts = this.#counts.get(style) ?? { ended: new Map(), restarted: new Set() };
    this.#counts.set(style, counts);
    const continues =
      attributes['continue-numbering'] === 'true' || attributes['continue-list'] !== undefined;
    const resumes = continues || (this.#open.at(-1)?.resumes === true && !counts.restarted.has(level));
    const next = start !== null && resumes ? (counts.ended.get(level) ?? start) : start;
    this.#open.push({ style, counts, resumes, shown, next, width: bullet.length });
  }

  end(): void {
    const level = this.#open.length;
    const list = this.#open.pop();
    if (!list || list.next === null) return;
    list.counts.ended.set(level, list.next);
    list.counts.restarted.delete(level);
  }

  beginItem(attributes: XmlElement['attributes']): void {
    this.#isNew = true;
    const list = this.#open.at(-1);
    if (!list) return;
    list.width = bullet.length;
    if (list.next !== null) list.next = numberOf(attributes['start-value']) ?? list.next;
  }

  /** Ends the open items, as a heading or a table does in Markdown. If the rest of them were indented, it would be code. */
  interrupt(): void {
    for (const list of this.#open) list.width = 0;
  }

  /** Returns what the next paragraph begins with: the mark of a new item, or white space. */
  lead(): string {
    const list = this.#open.at(-1);
    const outer = this.#open.slice(0, Math.min(this.#open.length, deepestIndent) - 1);
    const indent = ' '.repeat(outer.reduce((sum, { width }) => sum + width, 0));
    if (!list || !this.#isNew) return indent + ' '.repeat(list?.width ?? 0);
    const number = this.#count(list);
    const mark = number === null ? bullet : `${number}. `;
    list.width = mark.length;
    return indent + mark;
  }

  /** Returns what a heading begins with: the number of a new item with those of the items around it, or nothing. */
  number(): string {
    const list = this.#open.at(-1);
    const number = list && this.#isNew ? this.#count(list) : null;
    if (!list || number === null) return '';
    const shown = Math.min(Math.max(list.shown, 1), mostLevels);
    const around = this.#open.slice(-shown, -1);
    const numbers = around.flatMap(({ next }) => (next === null ? [] : [Math.max(next - 1, 1)]));
    return numbers.length === 0 ? `${number}. ` : `${numbers.join('.')}.${number} `;
  }

  /** Begins the open item and the levels below it. */
  #count(list: List): number | null {
    this.#isNew = false;
    for (let level = this.#open.length + 1; level <= mostLevels; level++) list.counts.restarted.add(level);
    return list.next === null ? null : list.next++;
  }
}
