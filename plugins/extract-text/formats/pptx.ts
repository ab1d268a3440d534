import type { Archive } from '../office/archive.js';
import type { Extractor } from '../document.js';
import { asText, heading, writeTable } from '../markdown.js';
import { readComments } from '../office/comments.js';
import { readChart, readDiagram } from '../office/drawings.js';
import { LinearMath } from '../office/math.js';
import { alternativeText, officeProperties, relationshipsOf, type Relationship } from '../office/ooxml.js';
import type { TextWriter } from '../text-writer.js';
import { visitXml } from '../office/xml.js';

/** The contents of a slide, in file order. */
type SlidePart =
  | { readonly kind: 'title'; readonly text: string }
  | { readonly kind: 'footer'; readonly text: string }
  | { readonly kind: 'paragraphs'; readonly paragraphs: readonly Paragraph[] }
  | { readonly kind: 'table'; readonly rows: readonly (readonly string[])[] }
  /** Content in a separate file, identified by its relationship. */
  | { readonly kind: 'chart' | 'diagram'; readonly id: string };

interface Paragraph {
  readonly text: string;
  readonly level: number;
}

/** Extracts slides in order, each under a heading, with the speaker notes and comments (ECMA-376 part 1, 19). */
export const extractPptx: Extractor = async (document, out) => {
  const archive = await document.archive();
  const slides = await slidesOf(archive);
  const read = new Set<string>();
  const footers = new Set<string>();
  for (const [index, slide] of [...slides].entries()) {
    const parts = await readSlide(archive, slide);
    const title = parts.find((part) => part.kind === 'title' && part.text.trim() !== '');
    out.page();
    out.block(heading(2, title?.kind === 'title' ? title.text : `Slide ${index + 1}`));
    const relationships = await relationshipsOf(archive, slide);
    for (const part of parts) {
      if (part === title) continue;
      if (part.kind === 'footer') {
        if (footers.has(part.text)) continue;
        footers.add(part.text);
      }
      if ('id' in part) await writeDrawing(archive, part.kind, relationships.get(part.id)?.target, read, out);
      else writePart(part, out);
    }
    const notes = await notesOf(archive, relationships, read);
    if (notes !== '') out.block(asText(`Notes: ${notes}`));
    for (const { kind, target } of relationships.values()) {
      if (kind !== 'comments' || read.has(target) || !archive.has(target)) continue;
      read.add(target);
      for (const { text } of await readComments(archive, target)) out.block(asText(`Comment: ${text}`));
    }
    document.progress((index + 1) / slides.size, `Slide ${index + 1} of ${slides.size}`);
  }
  return { ...(await officeProperties(archive)), pageCount: slides.size, markdown: true };
};

/** Returns each slide once, so that the work stays proportional to the file. */
async function slidesOf(archive: Archive): Promise<ReadonlySet<string>> {
  const relationships = await relationshipsOf(archive, 'ppt/presentation.xml');
  const slides = new Set<string>();
  await visitXml(await archive.pieces('ppt/presentation.xml'), {
    open: ({ name, attributes }) => {
      const slide = name === 'sldId' ? relationships.get(attributes['r:id'] ?? '')?.target : undefined;
      if (slide !== undefined && archive.has(slide)) slides.add(slide);
    },
  });
  return slides;
}

/** Writes a chart or a diagram once, so that the work stays proportional to the file. */
async function writeDrawing(
  archive: Archive,
  kind: 'chart' | 'diagram',
  file: string | undefined,
  read: Set<string>,
  out: TextWriter,
): Promise<void> {
  if (file === undefined || read.has(file) || !archive.has(file)) return;
  read.add(file);
  if (kind === 'diagram') {
    const texts = await readDiagram(archive, file);
    out.block(texts.map((text) => `- ${asText(text)}`).join('\n'));
    return;
  }
  const { titles, rows } = await readChart(archive, file);
  for (const title of titles) out.block(asText(title));
  writeTable(rows, out);
}

function writePart(part: Exclude<SlidePart, { readonly id: string }>, out: TextWriter): void {
  if (part.kind === 'title' || part.kind === 'footer') out.block(asText(part.text));
  else if (part.kind === 'table') writeTable(part.rows, out);
  else {
    const isList = part.paragraphs.length > 1;
    out.block(
      part.paragraphs
        .map(({ text, level }) => (isList ? `${'  '.repeat(level)}- ${asText(text)}` : asText(text)))
        .join('\n'),
    );
  }
}

/** Placeholders that tend to have the same content on every slide: it is written once. */
const footers = new Set(['dt', 'ftr', 'hdr']);
/** Placeholders without content of their own. */
const furniture = new Set(['sldNum', 'sldImg']);

async function readSlide(archive: Archive, slide: string): Promise<readonly SlidePart[]> {
  const parts: SlidePart[] = [];
  let placeholder = '';
  let paragraphs: Paragraph[] = [];
  let rows: string[][] | undefined;
  let text = '';
  let level = 0;
  let inRun = false;
  let formula: LinearMath | undefined;
  /** The alternative text of the open picture. */
  let picture: string | undefined;
  /** How deep inside elements that repeat another one for older readers. */
  let fallback = 0;
  await visitXml(await archive.pieces(slide), {
    open: ({ name, attributes }) => {
      if (formula) formula.open(name, attributes['val']);
      else if (name === 'oMath') formula = new LinearMath();
      else if (name === 'Fallback') fallback++;
      else if (name === 'sp') placeholder = '';
      else if (name === 'pic') picture = '';
      else if (name === 'cNvPr' && picture !== undefined) picture = alternativeText(attributes);
      else if (name === 'ph') placeholder = attributes['type'] ?? 'body';
      else if (name === 'tbl') rows = [];
      else if (name === 'tr') rows?.push([]);
      else if (name === 'p') [text, level] = ['', 0];
      else if (name === 'pPr') level = Math.min(Number(attributes['lvl'] ?? 0) || 0, 8);
      else if (name === 't') inRun = true;
      else if (name === 'br') text += ' ';
      else if (name === 'chart' && attributes['r:id']) parts.push({ kind: 'chart', id: attributes['r:id'] });
      else if (name === 'relIds' && attributes['r:dm'])
        parts.push({ kind: 'diagram', id: attributes['r:dm'] });
    },
    text: (run) => {
      if (formula) formula.text(run);
      else if (inRun) text += run;
    },
    close: (name) => {
      if (formula && name !== 'oMath') {
        formula.close();
        return;
      }
      if (formula && fallback === 0) text += formula.end();
      formula = undefined;
      if (name === 't') inRun = false;
      else if (name === 'Fallback') fallback--;
      if (fallback > 0) return;
      if (name === 'p' && text.trim() !== '') {
        paragraphs.push({ text: text.trim(), level });
      } else if (name === 'pic') {
        const alternative = picture?.replace(/\s+/g, ' ').trim();
        if (alternative) parts.push({ kind: 'paragraphs', paragraphs: [{ text: alternative, level: 0 }] });
        picture = undefined;
      } else if (name === 'tc') {
        rows?.at(-1)?.push(paragraphs.map((paragraph) => paragraph.text).join(' '));
        paragraphs = [];
      } else if (name === 'tbl' && rows) {
        parts.push({ kind: 'table', rows });
        rows = undefined;
      } else if (name === 'sp') {
        const isTitle = placeholder === 'title' || placeholder === 'ctrTitle';
        const isFooter = footers.has(placeholder) && paragraphs.length > 0;
        if (isTitle || isFooter) {
          const whole = paragraphs.map((paragraph) => paragraph.text).join(' ');
          parts.push({ kind: isTitle ? 'title' : 'footer', text: whole });
        } else if (paragraphs.length > 0 && !furniture.has(placeholder)) {
          parts.push({ kind: 'paragraphs', paragraphs });
        }
        paragraphs = [];
      }
    },
  });
  return parts;
}

/** Returns the notes of a slide. Notes that several slides refer to belong to the first. */
async function notesOf(
  archive: Archive,
  relationships: ReadonlyMap<string, Relationship>,
  read: Set<string>,
): Promise<string> {
  const notes = [...relationships.values()].find(({ kind }) => kind === 'notesSlide')?.target;
  if (notes === undefined || !archive.has(notes) || read.has(notes)) return '';
  read.add(notes);
  const parts = await readSlide(archive, notes);
  return parts
    .flatMap((part) => {
      if (part.kind === 'paragraphs') return part.paragraphs.map(({ text }) => text);
      return part.kind === 'table' ? part.rows.map((row) => row.join(' ').trim()) : [];
    })
    .join('\n');
}
