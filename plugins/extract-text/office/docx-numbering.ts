import type { Archive } from './archive.js';
import { numberOf, visitXml } from './xml.js';

export interface ListItem {
  readonly isOrdered: boolean;
  /** Starts at 0. */
  readonly level: number;
  readonly number: number;
}

/** What a paragraph says about its list. */
export interface NumberingProperties {
  readonly style: string | null;
  readonly level: string | null;
  readonly numbering: string | null;
}

interface Level {
  isOrdered: boolean;
  start: number;
  /** An item of a level above this one restarts the level; usually one of any level above. */
  restart: number;
  /** The paragraph style whose paragraphs are items of this level. */
  style: string | undefined;
}

interface AbstractList {
  readonly levels: Map<number, Level>;
  /** The numbering style that defines the list instead of its own levels. */
  link: string | null;
  /** The number of the last item on each level, since the level began. */
  readonly numbers: (number | undefined)[];
}

/** A list that is based on an abstract one. All lists that are based on the same one count together. */
interface List {
  abstractList: string;
  /** Levels that it has instead of those of the abstract list. */
  readonly levels: Map<number, Level>;
  /** Where its levels start, instead of where those of the abstract list do. */
  readonly starts: Map<number, number>;
  /** The levels in `starts` that have not restarted yet. */
  readonly pending: Set<number>;
}

/** Word has nine levels. */
const mostLevels = 9;
/** Word needs one. Links may form a circle. */
const mostLinks = 5;

/** Numbers the items of the lists in a DOCX file, in document order (ECMA-376 part 1, 17.9). */
export class DocxNumbering {
  readonly #abstractLists = new Map<string, AbstractList>();
  readonly #lists = new Map<string, List>();
  /** The abstract list and the level that belong to a paragraph style. */
  readonly #byStyle = new Map<string, readonly [AbstractList, number]>();
  /** The list that a numbering style refers to, by style. */
  readonly #numberingStyles: ReadonlyMap<string, string>;

  private constructor(numberingStyles: ReadonlyMap<string, string>) {
    this.#numberingStyles = numberingStyles;
  }

  static async read(
    archive: Archive,
    part: string,
    numberingStyles: ReadonlyMap<string, string>,
  ): Promise<DocxNumbering> {
    const numbering = new DocxNumbering(numberingStyles);
    if (archive.has(part)) await numbering.#read(archive, part);
    return numbering;
  }

  /** Counts the next paragraph of the document. Returns null if it is in no list. */
  next({ style, level, numbering }: NumberingProperties): ListItem | null {
    const ofStyle = style === null ? undefined : this.#byStyle.get(style);
    if (numbering === null) return ofStyle ? count(...ofStyle) : null;
    // The list 0 takes a paragraph out of the list of its style (17.9.18).
    const abstractList = numbering === '0' ? undefined : this.#abstractListOf(numbering);
    const itsLevel = level === null ? (ofStyle?.[1] ?? 0) : numberOf(level);
    return abstractList ? count(abstractList, itsLevel, this.#lists.get(numbering)) : null;
  }

  #abstractListOf(numbering: string): AbstractList | undefined {
    let next = numbering;
    for (let links = 0; links <= mostLinks; links++) {
      const found = this.#abstractLists.get(this.#lists.get(next)?.abstractList ?? '');
      if (found === undefined || found.link === null) return found;
      next = this.#numberingStyles.get(found.link) ?? '';
    }
    return undefined;
  }

  async #read(archive: Archive, part: string): Promise<void> {
    let abstractList: AbstractList = { levels: new Map(), link: null, numbers: [] };
    let list: List | undefined;
    let level = 0;
    let found: Level = levelOf(level);
    await visitXml(await archive.pieces(part), {
      open: ({ name, attributes }) => {
        const value = attributes['val'];
        if (name === 'abstractNum') {
          abstractList = { levels: new Map(), link: null, numbers: [] };
          this.#abstractLists.set(attributes['abstractNumId'] ?? '', abstractList);
        } else if (name === 'lvl' || name === 'lvlOverride') {
          level = numberOf(attributes['ilvl']) ?? 0;
          found = levelOf(level);
        } else if (name === 'numFmt') found.isOrdered = value !== 'bullet';
        else if (name === 'start') found.start = numberOf(value) ?? 1;
        else if (name === 'lvlRestart') found.restart = numberOf(value) ?? level;
        else if (name === 'pStyle') found.style = value;
        else if (name === 'numStyleLink') abstractList.link = value ?? null;
        else if (name === 'num') {
          list = { abstractList: '', levels: new Map(), starts: new Map(), pending: new Set() };
          this.#lists.set(attributes['numId'] ?? '', list);
        } else if (name === 'abstractNumId' && list) list.abstractList = value ?? '';
        else if (name === 'startOverride' && list) {
          list.starts.set(level, numberOf(value) ?? 1);
          list.pending.add(level);
        }
      },
      close: (name) => {
        if (name === 'num') list = undefined;
        if (name !== 'lvl') return;
        (list ?? abstractList).levels.set(level, found);
        if (!list && found.style !== undefined) this.#byStyle.set(found.style, [abstractList, level]);
      },
    });
  }
}

/** A level starts at 0 if it does not say where (17.9.25). */
function levelOf(level: number): Level {
  return { isOrdered: true, start: 0, restart: level, style: undefined };
}

/** Counts an item. Levels above it that have no item yet count as if they had one, as in Word. */
function count(abstractList: AbstractList, level = mostLevels, list?: List): ListItem | null {
  const { levels, numbers } = abstractList;
  const at = (index: number): Level | undefined => list?.levels.get(index) ?? levels.get(index);
  const found = level < mostLevels ? at(level) : undefined;
  if (found === undefined) return null;
  for (let index = 0; index <= level; index++) {
    if (list?.pending.delete(index)) numbers[index] = undefined;
    const last = numbers[index];
    if (last === undefined) numbers[index] = list?.starts.get(index) ?? at(index)?.start ?? 1;
    else if (index === level) numbers[index] = last + 1;
  }
  for (let index = level + 1; index < mostLevels; index++) {
    if (level < (at(index)?.restart ?? index)) numbers[index] = undefined;
  }
  return { isOrdered: found.isOrdered, level, number: numbers[level] ?? 1 };
}
