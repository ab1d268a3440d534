import type { Archive } from './archive.js';
import { DocxNumbering, type ListItem } from './docx-numbering.js';
import type { BuiltElement } from '../html/markup.js';
import { visitXml } from './xml.js';

export interface ParagraphProperties {
  style: string | null;
  level: string | null;
  numbering: string | null;
  /** The outline level of the paragraph itself, from 0; 9 is body text (17.3.1.20). */
  outline: string | null;
  readonly isInTable: boolean;
}

/** The styles and lists of a DOCX file (ECMA-376 part 1, 17.7 and 17.9). */
export interface DocxStyles {
  /**
   * Counts the next paragraph of the document and, unless it is empty, appends its content to the parent: as a heading,
   * a list item, or a plain paragraph.
   */
  place(properties: ParagraphProperties, content: BuiltElement, parent: BuiltElement): void;
  isCode(paragraphStyle: string | null): boolean;
  isStrong(characterStyle: string): boolean;
}

/** Styles are based on few others. They may form a circle. */
const mostBases = 20;

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
  const numbering = await DocxNumbering.read(archive, parts.numbering, styles.numberings);
  return {
    place(properties, content, parent) {
      const item = numbering.next(properties);
      if (!content.firstChild) return;
      const name = styles.paragraphs.get(properties.style ?? '')?.name ?? '';
      const heading = headingOf(properties, styles.paragraphs);
      const isItem = item !== null && item.level <= deepestLevel && !plain.test(name);
      if (heading !== null) parent.begin(`H${heading}`).takeFrom(content);
      else if (isItem) beginItem(item, parent).takeFrom(content);
      else parent.begin('P').takeFrom(content);
    },
    isCode: (style) => code.test(styles.paragraphs.get(style ?? '')?.name ?? ''),
    isStrong: (style) => styles.characters.get(style)?.toUpperCase() === 'STRONG',
  };
}

function beginItem({ isOrdered, level, number }: ListItem, parent: BuiltElement): BuiltElement {
  let place = parent;
  for (let outer = 0; outer < level; outer++)
    place = place.continueOrBegin(['UL', 'OL']).continueOrBegin(['LI']);
  if (!isOrdered) return place.continueOrBegin(['UL']).begin('LI');
  return place.continueOrBegin(['OL']).begin('LI', { value: `${number}` });
}

/**
 * Returns the level of a heading, from 1; null if a paragraph is not a heading. In a table, only paragraphs with a
 * heading style are headings. A table that has headings does not become a Markdown table.
 */
function headingOf(
  { style, outline, isInTable }: ParagraphProperties,
  styles: ReadonlyMap<string, ParagraphStyle>,
): number | null {
  const name = styles.get(style ?? '')?.name ?? '';
  // The style of this name is the base of many others in LibreOffice, such as that of subtitles.
  const level = style === 'Heading' || /^heading$/i.test(name) ? 1 : headingLevel(style ?? '', name);
  if (level !== null || isInTable) return level;
  if (outline !== null) return outlineHeading(outline);
  let id = style;
  for (let bases = 0; id !== null && bases <= mostBases; bases++) {
    const found = styles.get(id);
    const inherited = headingLevel(id, found?.name ?? '');
    if (inherited !== null) return inherited;
    if (found?.outline) return outlineHeading(found.outline);
    id = found?.base ?? null;
  }
  return null;
}

/** Uses the names that Word and Pages store, which do not depend on the display language. */
function headingLevel(id: string, name: string): number | null {
  const level = /^Heading([1-6])$/.exec(id)?.[1] ?? /^heading ([1-6])$/i.exec(name)?.[1];
  return level === undefined ? null : Number(level);
}

function outlineHeading(outline: string | null): number | null {
  return /^[0-5]$/.test(outline ?? '') ? Number(outline) + 1 : null;
}

interface ParagraphStyle {
  name: string;
  base: string | null;
  outline: string | null;
}

interface Styles {
  /** By id. The first of several with the same id counts (17.7.4.17). */
  readonly paragraphs: Map<string, ParagraphStyle>;
  readonly characters: Map<string, string>;
  /** The list that a numbering style refers to. */
  readonly numberings: Map<string, string>;
}

async function readStyles(archive: Archive, part: string): Promise<Styles> {
  const styles: Styles = { paragraphs: new Map(), characters: new Map(), numberings: new Map() };
  if (!archive.has(part)) return styles;
  let [id, type] = ['', ''];
  let style: ParagraphStyle | undefined;
  const add = (to: Map<string, string>, value: string | undefined): void => {
    if (value !== undefined && !to.has(id)) to.set(id, value);
  };
  await visitXml(await archive.pieces(part), {
    open: ({ name, attributes }) => {
      const value = attributes['val'];
      if (name === 'style') {
        [id, type] = [attributes['styleId'] ?? '', attributes['type'] ?? ''];
        style = undefined;
        if (type !== 'paragraph' || styles.paragraphs.has(id)) return;
        style = { name: '', base: null, outline: null };
        styles.paragraphs.set(id, style);
      } else if (name === 'name' && style) style.name = value ?? '';
      else if (name === 'basedOn' && style) style.base = value ?? null;
      else if (name === 'outlineLvl' && style) style.outline = value ?? null;
      else if (name === 'name' && type === 'character') add(styles.characters, value);
      else if (name === 'numId' && type === 'numbering') add(styles.numberings, value);
    },
  });
  return styles;
}
