import type { Archive } from './archive.js';
import type { BuiltElement } from '../html/markup.js';
import { visitXml } from './xml.js';

/** A paragraph's place in a list. */
interface ListLevel {
  readonly isOrdered: boolean;
  /** Starts at 0. */
  readonly level: number;
}

/** Properties that determine how a paragraph is placed. */
export interface ParagraphProperties {
  style: string | null;
  level: string | null;
  numbering: string | null;
  /** The outline level of the paragraph itself, from 0; 9 is body text (17.3.1.20). */
  outline: string | null;
}

/** The styles and lists of a DOCX file (ECMA-376 part 1, 17.7 and 17.9). */
export interface DocxStyles {
  /** Appends the element for a paragraph to the parent: a heading, a list item, or a plain paragraph. */
  placeFor(properties: ParagraphProperties, parent: BuiltElement): BuiltElement;
  isCode(paragraphStyle: string | null): boolean;
  isStrong(characterStyle: string): boolean;
}

/** Deeper list levels become plain paragraphs. */
const deepestLevel = 4;

/** Names of paragraph styles that are neither headings nor lists, regardless of their other properties. */
const plain = /^(?:footnote|endnote|annotation) text$|^(?:foot|end)note$/i;

/** Names of the paragraph styles that Word, LibreOffice, Pandoc and templates have for code. */
const code = /^(?:html preformatted|preformatted text|(?:source )?code(?: block)?)$/i;

export async function readDocxStyles(
  archive: Archive,
  parts: { readonly styles: string; readonly numbering: string },
): Promise<DocxStyles> {
  const styles = await readStyles(archive, parts.styles);
  const levelOf = await readNumbering(archive, parts.numbering, styles);
  return {
    placeFor(properties, parent) {
      const name = styles.paragraphs.get(properties.style ?? '') ?? '';
      const heading = headingLevel(properties.style ?? '', name) ?? outlineHeading(properties.outline);
      if (heading !== null) return parent.begin(`H${heading}`);
      const list = plain.test(name) ? null : levelOf(properties);
      if (list === null || !(list.level <= deepestLevel)) return parent.begin('P');
      let place = parent;
      for (let outer = 0; outer < list.level; outer++) place = place.goOn(['UL', 'OL']).goOn(['LI']);
      return place.goOn([list.isOrdered ? 'OL' : 'UL']).begin('LI');
    },
    isCode: (style) => code.test(styles.paragraphs.get(style ?? '') ?? ''),
    isStrong: (style) => styles.characters.get(style)?.toUpperCase() === 'STRONG',
  };
}

/** Uses the names that Word and Pages store, which do not depend on the display language. */
function headingLevel(id: string, name: string): number | null {
  if (id === 'Heading' || /^heading$/i.test(name)) return 1;
  const level = /^Heading([1-6])$/.exec(id)?.[1] ?? /^heading ([1-6])$/i.exec(name)?.[1];
  return level === undefined ? null : Number(level);
}

function outlineHeading(outline: string | null): number | null {
  return /^[0-5]$/.test(outline ?? '') ? Number(outline) + 1 : null;
}

interface Styles {
  /** Style names by id. The first of several with the same id counts (17.7.4.17). */
  readonly paragraphs: Map<string, string>;
  readonly characters: Map<string, string>;
  /** The list that a numbering style refers to. */
  readonly numberings: Map<string, string>;
}

async function readStyles(archive: Archive, part: string): Promise<Styles> {
  const styles: Styles = { paragraphs: new Map(), characters: new Map(), numberings: new Map() };
  if (!archive.has(part)) return styles;
  let [id, type] = ['', ''];
  const add = (to: Map<string, string>, value: string | undefined): void => {
    if (value !== undefined && !to.has(id)) to.set(id, value);
  };
  await visitXml(await archive.pieces(part), {
    open: ({ name, attributes }) => {
      if (name === 'style') [id, type] = [attributes['styleId'] ?? '', attributes['type'] ?? ''];
      else if (name === 'name' && type === 'paragraph') add(styles.paragraphs, attributes['val']);
      else if (name === 'name' && type === 'character') add(styles.characters, attributes['val']);
      else if (name === 'numId' && type === 'numbering') add(styles.numberings, attributes['val']);
    },
  });
  return styles;
}

interface AbstractList {
  readonly levels: Map<string, ListLevel>;
  /** The numbering style that defines the list instead of its own levels. */
  link: string | null;
}

async function readNumbering(
  archive: Archive,
  part: string,
  styles: Styles,
): Promise<(properties: ParagraphProperties) => ListLevel | null> {
  const abstractLists = new Map<string, AbstractList>();
  /** The abstract list of each list. */
  const lists = new Map<string, string>();
  const byStyle = new Map<string, ListLevel>();
  if (archive.has(part)) await readLists(archive, part, { abstractLists, lists, byStyle });
  const find = (numbering: string, level: string, seen: readonly string[] = []): ListLevel | null => {
    const abstractList = abstractLists.get(lists.get(numbering) ?? '');
    if (abstractList === undefined || seen.includes(numbering)) return null;
    if (abstractList.link === null) return abstractList.levels.get(level) ?? null;
    return find(styles.numberings.get(abstractList.link) ?? '', level, [...seen, numbering]);
  };
  return ({ style, level, numbering }) => {
    if (level !== null && numbering !== null) return find(numbering, level);
    const ofStyle = style === null ? undefined : byStyle.get(style);
    if (ofStyle !== undefined) return ofStyle;
    return numbering === null ? null : find(numbering, '0');
  };
}

async function readLists(
  archive: Archive,
  part: string,
  {
    abstractLists,
    lists,
    byStyle,
  }: {
    readonly abstractLists: Map<string, AbstractList>;
    readonly lists: Map<string, string>;
    readonly byStyle: Map<string, ListLevel>;
  },
): Promise<void> {
  let abstractList: AbstractList = { levels: new Map(), link: null };
  let list: string | undefined;
  let level = '0';
  let isOrdered = true;
  let style: string | undefined;
  await visitXml(await archive.pieces(part), {
    open: ({ name, attributes }) => {
      const value = attributes['val'];
      if (name === 'abstractNum') {
        abstractList = { levels: new Map(), link: null };
        abstractLists.set(attributes['abstractNumId'] ?? '', abstractList);
      } else if (name === 'lvl') [level, isOrdered, style] = [attributes['ilvl'] ?? '0', true, undefined];
      else if (name === 'numFmt') isOrdered = value !== 'bullet';
      else if (name === 'pStyle') style = value;
      else if (name === 'numStyleLink') abstractList.link = value ?? null;
      else if (name === 'num') list = attributes['numId'];
      else if (name === 'abstractNumId' && list !== undefined) lists.set(list, value ?? '');
    },
    close: (name) => {
      if (name === 'num') list = undefined;
      // A list that is based on another one may override single levels; overrides are ignored.
      if (name !== 'lvl' || list !== undefined) return;
      const found = { isOrdered, level: Number(level) };
      abstractList.levels.set(level, found);
      if (style !== undefined) byStyle.set(style, found);
    },
  });
}
