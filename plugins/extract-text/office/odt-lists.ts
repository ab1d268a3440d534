import type { XmlElement } from './xml.js';

/** Collects which levels of which list styles are numbered (OASIS OpenDocument 1.3, part 3, 16.30 to 16.33). */
export class OdtListStyles {
  /** The first number of each numbered level, by style. */
  readonly #starts = new Map<string, Map<number, number>>();
  #current = new Map<number, number>();

  open({ name, attributes }: XmlElement): void {
    if (name === 'list-style') {
      this.#current = new Map();
      this.#starts.set(attributes['name'] ?? '', this.#current);
    } else if (name === 'list-level-style-number' && attributes['num-format']) {
      this.#current.set(Number(attributes['level']), numberOf(attributes['start-value']) ?? 1);
    }
  }

  /** Returns the first number of a level, counted from 1; null if the level has bullets. */
  startOf(style: string, level: number): number | null {
    return this.#starts.get(style)?.get(level) ?? null;
  }
}

interface List {
  readonly style: string;
  /** The next number; null for bullets. */
  next: number | null;
  /** The length of the mark of the open item. */
  width: number;
}

/** Lists deeper than this are not indented further: indenting every level would make the output quadratic. */
const deepestIndent = 8;
const bullet = '- ';

/** The open lists of a text document, from the outermost. */
export class OdtLists {
  readonly #styles: OdtListStyles;
  readonly #open: List[] = [];
  /** Where each level of each style goes on if a later list continues it. */
  readonly #ended = new Map<string, number>();
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
    const start = this.#styles.startOf(style, level);
    const continues =
      attributes['continue-numbering'] === 'true' || attributes['continue-list'] !== undefined;
    const next = start !== null && continues ? (this.#ended.get(`${level} ${style}`) ?? start) : start;
    this.#open.push({ style, next, width: bullet.length });
  }

  end(): void {
    const level = this.#open.length;
    const list = this.#open.pop();
    if (list && list.next !== null) this.#ended.set(`${level} ${list.style}`, list.next);
  }

  beginItem(attributes: XmlElement['attributes']): void {
    this.#isNew = true;
    const list = this.#open.at(-1);
    if (!list) return;
    list.width = bullet.length;
    if (list.next !== null) list.next = numberOf(attributes['start-value']) ?? list.next;
  }

  /** Returns what the next paragraph begins with: the mark of a new item, or white space. */
  lead(): string {
    const list = this.#open.at(-1);
    const outer = this.#open.slice(0, Math.min(this.#open.length, deepestIndent) - 1);
    const indent = ' '.repeat(outer.reduce((sum, { width }) => sum + width, 0));
    if (!list || !this.#isNew) return indent + ' '.repeat(list?.width ?? 0);
    this.#isNew = false;
    const mark = list.next === null ? bullet : `${list.next++}. `;
    list.width = mark.length;
    return indent + mark;
  }
}

function numberOf(value: string | undefined): number | undefined {
  return /^\d{1,9}$/.test(value ?? '') ? Number(value) : undefined;
}
