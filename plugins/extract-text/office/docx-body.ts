import { hex } from 'dingbat-to-unicode';
import { FieldStack } from './docx-fields.js';
import type { DocxStyles, ParagraphProperties } from './docx-styles.js';
import { DocxTable } from './docx-table.js';
import { BuiltElement, type BuiltAttributes } from '../html/markup.js';
import { LinearMath } from './math.js';
import { alternativeText } from './ooxml.js';
import type { XmlElement, XmlVisitor } from './xml.js';

/** Wrappers without meaning for the text. Unknown elements are dropped with their contents. */
const transparent = new Set(
  (
    'document body footnotes endnotes hdr ftr ins moveTo smartTag customXml sdt sdtContent object drawing ' +
    'shape roundrect rect oval line polyline arc curve group textbox fldSimple dir bdo ruby rubyBase oMathPara'
  ).split(' '),
);

/** What is read of the instruction of a field. Anything else in it, such as the result of a field inside it, is not shown. */
const inInstruction = new Set('p pPr r rPr hyperlink fldChar instrText'.split(' '));

/** How an element is read: as content, as properties of its parent, or only for the text boxes in it. */
type Mode = 'content' | 'paragraph' | 'run' | 'row' | 'cell' | 'image' | 'boxes' | 'formula';

const plainRun = {
  isStrong: false,
  isBold: false,
  isItalic: false,
  isRaised: false,
  isLowered: false,
  isStruck: false,
};

/** The element being built: a paragraph, or a container of paragraphs, such as a cell. */
interface Frame {
  readonly content: BuiltElement;
  readonly paragraph: (ParagraphProperties & { isDeleted: boolean }) | null;
  /** Text boxes, which follow the paragraph that they are anchored in. */
  readonly boxes: BuiltElement;
  readonly links: (BuiltAttributes | null)[];
  readonly runs: (typeof plainRun)[];
}

export interface NoteReference {
  readonly kind: string;
  readonly id: string;
  readonly number: number;
}

/** A chart, a diagram, or a chunk in another format, whose content is in another part. */
export interface Inclusion {
  readonly kind: 'chart' | 'diagram' | 'chunk';
  /** Of the relationship to that part. */
  readonly id: string;
  readonly place: BuiltElement;
}

/** State shared by the bodies of a document and of its notes. */
export interface DocxContext {
  readonly styles: DocxStyles;
  /** Referenced notes in order of reference, by kind and id. */
  readonly notes: Map<string, NoteReference>;
}

/**
 * Builds the elements for Markdown while a body streams, from paragraph styles and run properties. Deleted
 * text is left out (ECMA-376 part 1, 17).
 */
export class DocxBody implements XmlVisitor {
  /** In a part with notes: the content of each, by id. */
  readonly notes = new Map<string, BuiltElement>();
  readonly inclusions: Inclusion[] = [];
  readonly #context: DocxContext;
  readonly #links: ReadonlyMap<string, string>;
  readonly #frames: Frame[] = [frameOf(null)];
  readonly #tables: DocxTable[] = [];
  readonly #fields = new FieldStack();
  readonly #modes: Mode[] = ['content'];
  /** The number of open elements inside a skipped one. */
  #skipped = 0;
  #reads: 'text' | 'instruction' | null = null;
  /** The open pictures and drawings. A text box may contain further ones. */
  readonly #images: Image[] = [];
  /** The open alternatives: whether one of them, and whether an earlier one than the current, had a text box. */
  readonly #alternatives: { hasBox: boolean; skipsBoxes: boolean }[] = [];
  #formula = new LinearMath();
  #note = '';
  /** Content of a paragraph whose end was deleted; it continues in the next paragraph. */
  #carried: BuiltElement | null = null;

  constructor(context: DocxContext, links: ReadonlyMap<string, string>) {
    this.#context = context;
    this.#links = links;
  }

  end(): BuiltElement {
    const { content } = this.#frame;
    if (this.#carried) content.begin('P').takeFrom(this.#carried);
    return content;
  }

  open({ name, attributes }: XmlElement): void {
    const mode = this.#skipped > 0 ? null : this.#open(name, attributes);
    if (mode === null) this.#skipped++;
    else this.#modes.push(mode);
  }

  text(text: string): void {
    if (this.#skipped > 0) return;
    if (this.#modes.at(-1) === 'formula') this.#formula.text(text);
    if (this.#reads === null) return;
    if (this.#reads === 'instruction') this.#fields.instruct(text);
    else this.#place().appendText(text);
  }

  close(name: string): void {
    if (this.#skipped > 0) {
      this.#skipped--;
      return;
    }
    this.#modes.pop();
    const mode = this.#modes.at(-1);
    if (mode === 'content') this.#closers.get(name)?.();
    else if (mode === 'formula') this.#formula.close();
    else if (name === 'txbxContent') this.#endBox();
  }

  get #frame(): Frame {
    return this.#frames.at(-1) as Frame;
  }

  /** Returns how to read the element's contents, or null to skip it. */
  #open(name: string, attributes: XmlElement['attributes']): Mode | null {
    switch (this.#modes.at(-1)) {
      case 'content':
        return this.#openContent(name, attributes);
      case 'paragraph':
        return this.#readParagraphProperty(name, attributes['val']) ? 'paragraph' : null;
      case 'run':
        return this.#readRunProperty(name, attributes['val']) ? 'run' : null;
      case 'row':
        this.#readRowProperty(name, attributes['val']);
        return null;
      case 'cell':
        this.#readCellProperty(name, attributes['val']);
        return null;
      case 'formula':
        if (name === 'del' || name === 'moveFrom') return null;
        this.#formula.open(name, attributes['val']);
        return 'formula';
      case 'boxes':
        if (name === 'Fallback') return null;
        return name === 'txbxContent' ? this.#beginBox() : 'boxes';
      default:
        if (name === 'txbxContent') return this.#beginBox();
        this.#readImage(name, attributes);
        return 'image';
    }
  }

  #openContent(name: string, attributes: XmlElement['attributes']): Mode | null {
    if (transparent.has(name)) return 'content';
    if (this.#fields.isInInstruction && !inInstruction.has(name)) return null;
    const opener = this.#openers.get(name);
    return opener === undefined ? null : opener(attributes);
  }

  /** Handlers by element name: each starts the element and returns how to read its contents. */
  readonly #openers = byName<(attributes: XmlElement['attributes']) => Mode | null>({
    p: () => {
      this.#frames.push(
        frameOf(
          {
            style: null,
            level: null,
            numbering: null,
            outline: null,
            isInTable: this.#table !== undefined,
            isDeleted: false,
          },
          this.#carried,
        ),
      );
      this.#carried = null;
      return 'content';
    },
    pPr: () => 'paragraph',
    r: () => {
      this.#frame.runs.push({ ...plainRun });
      return 'content';
    },
    rPr: () => 'run',
    t: () => this.#read('text'),
    instrText: () => this.#read('instruction'),
    fldChar: ({ fldCharType }) => {
      this.#fields.mark(fldCharType);
      return null;
    },
    tab: () => this.#write('\t'),
    ptab: () => this.#write('\t'),
    noBreakHyphen: () => this.#write('\u2011'),
    softHyphen: () => this.#write('\u00ad'),
    sym: ({ font, char }) => this.#write(symbol(font ?? '', char ?? '')),
    cr: () => this.#breakLine(),
    // The end of a page also separates words, but is not text where a paragraph begins.
    br: ({ type = 'textWrapping' }) =>
      type === 'textWrapping' || this.#frame.content.firstChild ? this.#breakLine() : null,
    hyperlink: ({ 'r:id': id, anchor }) => {
      const { links } = this.#frame;
      links.push(this.#linkTo(id, anchor) ?? links.at(-1) ?? null);
      return 'content';
    },
    // Separates the text before it from the text after it, since a link target may begin here.
    bookmarkStart: ({ name }) => {
      if (name !== '_GoBack' && !this.#table?.isBetweenCells) this.#place().begin('A');
      return null;
    },
    footnoteReference: ({ id }) => this.#refer('footnote', id),
    endnoteReference: ({ id }) => this.#refer('endnote', id),
    footnote: (attributes) => this.#beginNote(attributes),
    endnote: (attributes) => this.#beginNote(attributes),
    tbl: () => {
      this.#tables.push(new DocxTable());
      return 'content';
    },
    tr: () => {
      this.#table?.beginRow();
      return 'content';
    },
    trPr: () => 'row',
    tc: () => {
      this.#table?.beginCell();
      this.#frames.push(frameOf(null));
      return 'content';
    },
    tcPr: () => 'cell',
    altChunk: ({ 'r:id': id }) => {
      if (id) this.inclusions.push({ kind: 'chunk', id, place: this.#frame.content.begin('DIV') });
      return null;
    },
    pict: () => {
      this.#frames.push(frameOf(null));
      return 'content';
    },
    txbxContent: () => this.#readBox(),
    // Word writes a text box twice: as a shape, and as VML for older versions. The latter may also be a picture of it.
    AlternateContent: () => {
      this.#alternatives.push({ hasBox: false, skipsBoxes: false });
      return 'content';
    },
    Choice: () => this.#readAlternative('boxes'),
    Fallback: () => this.#readAlternative('content'),
    oMath: () => {
      this.#formula = new LinearMath();
      return 'formula';
    },
    inline: () => this.#beginImage(),
    anchor: () => this.#beginImage(),
    // WordArt of older versions.
    textpath: ({ string }) => (this.#alternatives.at(-1)?.skipsBoxes ? null : this.#write(string ?? '')),
    imagedata: ({ 'r:id': id, title }) => {
      if (id) this.#place().begin('IMG', { alt: title ?? '' });
      return null;
    },
  });

  readonly #closers = byName<() => void>({
    p: () => this.#endParagraph(),
    r: () => void this.#frame.runs.pop(),
    t: () => (this.#reads = null),
    instrText: () => (this.#reads = null),
    hyperlink: () => void this.#frame.links.pop(),
    footnote: () => this.#endNote(),
    endnote: () => this.#endNote(),
    tbl: () => {
      const table = this.#tables.pop();
      if (table) this.#frame.content.append(table.end());
    },
    tr: () => this.#table?.endRow(),
    tc: () => {
      const content = this.#endFrame();
      if (this.#table) this.#table.endCell(content);
      else this.#frame.content.takeFrom(content);
    },
    pict: () => this.#endBox(),
    AlternateContent: () => void this.#alternatives.pop(),
    oMath: () => void this.#write(this.#formula.end()),
    inline: () => this.#endImage(),
    anchor: () => this.#endImage(),
  });

  get #table(): DocxTable | undefined {
    return this.#tables.at(-1);
  }

  /** Where new content goes: inside the link and emphasis of its run, which continue if the last run had the same. */
  #place(): BuiltElement {
    const { content, links, runs } = this.#frame;
    const [link, run, field] = [links.at(-1), runs.at(-1), this.#fields.link];
    let place = content;
    if (link) place = place.continueOrBegin(['A'], link);
    if (run?.isStrong) place = place.continueOrBegin(['STRONG']);
    if (run?.isBold) place = place.continueOrBegin(['STRONG']);
    if (run?.isItalic) place = place.continueOrBegin(['EM']);
    if (run?.isRaised) place = place.continueOrBegin(['SUP']);
    if (run?.isLowered) place = place.continueOrBegin(['SUB']);
    if (run?.isStruck) place = place.continueOrBegin(['S']);
    return run && field ? place.continueOrBegin(['A'], field) : place;
  }

  /** Returns where a text box or a drawing goes: after the paragraph that it is anchored in. */
  get #boxes(): BuiltElement {
    return this.#frames.findLast(({ paragraph }) => paragraph !== null)?.boxes ?? this.#frame.content;
  }

  #read(what: 'text' | 'instruction'): Mode {
    this.#reads = what;
    return 'content';
  }

  #write(text: string): null {
    this.#place().appendText(text);
    return null;
  }

  #breakLine(): null {
    this.#place().begin('BR');
    return null;
  }

  #linkTo(id: string | undefined, anchor: string | undefined): BuiltAttributes | null {
    const fragment = anchor ? `#${anchor}` : '';
    if (!id) return fragment === '' ? null : { href: fragment };
    const target = this.#links.get(id);
    if (target === undefined) return null;
    return { href: fragment === '' ? target : target.replace(/#.*$/s, '') + fragment };
  }

  #endFrame(): BuiltElement {
    return (this.#frames.pop() as Frame).content;
  }

  #endParagraph(): void {
    this.#fields.endParagraph();
    const { content, paragraph, boxes } = this.#frames.pop() as Frame;
    const parent = this.#frame.content;
    if (paragraph?.isDeleted) this.#carried = content;
    // A Markdown table cannot contain code blocks.
    else if (paragraph && !this.#table && this.#context.styles.isCode(paragraph.style)) {
      if (!content.firstChild) content.appendText('\n');
      parent.continueOrBegin(['PRE']).begin('DIV').takeFrom(content);
    } else if (paragraph) this.#context.styles.place(paragraph, content, parent);
    parent.takeFrom(boxes);
  }

  #readParagraphProperty(name: string, value: string | undefined): boolean {
    const { paragraph } = this.#frame;
    if (paragraph === null) return false;
    if (name === 'pStyle') paragraph.style = value ?? null;
    else if (name === 'ilvl') paragraph.level = value ?? null;
    else if (name === 'numId') paragraph.numbering = value ?? null;
    else if (name === 'outlineLvl') paragraph.outline = value ?? null;
    else if (name === 'del') paragraph.isDeleted = true;
    return name === 'numPr' || name === 'rPr';
  }

  #readRunProperty(name: string, value: string | undefined): boolean {
    const run = this.#frame.runs.at(-1);
    const isOn = value !== 'false' && value !== '0';
    if (run === undefined) return false;
    if (name === 'b') run.isBold = isOn;
    else if (name === 'i') run.isItalic = isOn;
    else if (name === 'strike') run.isStruck = isOn;
    else if (name === 'vertAlign')
      [run.isRaised, run.isLowered] = [value === 'superscript', value === 'subscript'];
    else if (name === 'rStyle') run.isStrong = this.#context.styles.isStrong(value ?? '');
    return false;
  }

  #readRowProperty(name: string, value: string | undefined): void {
    if (this.#table === undefined) return;
    if (name === 'gridBefore') this.#table.skip(Number.parseInt(value ?? '', 10) || 0);
    else if (name === 'del') this.#table.isDeleted = true;
  }

  #readCellProperty(name: string, value: string | undefined): void {
    if (this.#table === undefined) return;
    if (name === 'gridSpan') this.#table.columns = Number.parseInt(value ?? '', 10) || 1;
    else if (name === 'vMerge') this.#table.isMergedAbove = !value || value === 'continue';
  }

  #readAlternative(mode: Mode): Mode {
    const alternative = this.#alternatives.at(-1);
    if (alternative) alternative.skipsBoxes = alternative.hasBox;
    return mode;
  }

  #readBox(): Mode | null {
    const alternative = this.#alternatives.at(-1);
    if (alternative?.skipsBoxes) return null;
    if (alternative) alternative.hasBox = true;
    return 'content';
  }

  #beginBox(): Mode | null {
    const mode = this.#readBox();
    if (mode !== null) this.#frames.push(frameOf(null));
    return mode;
  }

  #endBox(): void {
    const box = this.#endFrame();
    this.#boxes.takeFrom(box);
  }

  #beginImage(): Mode {
    this.#images.push(noImage());
    return 'image';
  }

  #readImage(name: string, attributes: XmlElement['attributes']): void {
    const { 'r:id': id, 'r:embed': embed, 'r:link': link, 'r:dm': data } = attributes;
    const image = this.#images.at(-1);
    if (!image) return;
    if (name === 'docPr') image.text = alternativeText(attributes);
    else if (name === 'hlinkClick') image.link ??= this.#linkTo(id, undefined);
    else if (name === 'blip' && (embed || link)) image.isShown = true;
    else if (name === 'chart' && id) image.drawing = { kind: 'chart', id };
    else if (name === 'relIds' && data) image.drawing = { kind: 'diagram', id: data };
  }

  #endImage(): void {
    const { text, link, isShown, drawing } = this.#images.pop() ?? noImage();
    if (drawing) this.inclusions.push({ ...drawing, place: this.#boxes.begin('DIV') });
    if (!isShown) return;
    const place = this.#place();
    (link ? place.continueOrBegin(['A'], link) : place).begin('IMG', { alt: text });
  }

  /** A note that is referenced again keeps its number. */
  #refer(kind: string, id = ''): null {
    const { notes } = this.#context;
    const key = `${kind}-${id}`;
    const number = notes.get(key)?.number ?? notes.size + 1;
    notes.set(key, { kind, id, number });
    this.#place()
      .begin('SUP')
      .begin('A', { href: `#${key}` })
      .appendText(`[${number}]`);
    return null;
  }

  #beginNote({ id, type }: XmlElement['attributes']): Mode | null {
    if (type === 'separator' || type === 'continuationSeparator') return null;
    this.#note = id ?? '';
    this.#frames.push(frameOf(null));
    return 'content';
  }

  #endNote(): void {
    const content = this.#endFrame();
    if (!this.notes.has(this.#note)) this.notes.set(this.#note, content);
  }
}

/** Returns a map, since element names may equal names of Object.prototype. */
function byName<T>(handlers: Readonly<Record<string, T>>): ReadonlyMap<string, T> {
  return new Map(Object.entries(handlers));
}

interface Image {
  text: string;
  link: BuiltAttributes | null;
  isShown: boolean;
  drawing: Omit<Inclusion, 'place'> | null;
}

function noImage(): Image {
  return { text: '', link: null, isShown: false, drawing: null };
}

function frameOf(paragraph: Frame['paragraph'], content: BuiltElement | null = null): Frame {
  return {
    content: content ?? new BuiltElement('DIV'),
    paragraph,
    boxes: new BuiltElement('DIV'),
    links: [],
    runs: [],
  };
}

/**
 * Returns a character of a symbol font, such as Wingdings, if Unicode has it (17.3.3.30). In other fonts, codes that
 * neither symbol fonts nor Unicode's private area use are Unicode.
 */
function symbol(font: string, char: string): string {
  const found = hex(font, char) ?? (/^F0..$/i.test(char) ? hex(font, char.slice(2)) : undefined);
  const isUnicode = /^(?!00|[D-F])[\dA-F]{4}$/i.test(char);
  return found?.string ?? (isUnicode ? String.fromCharCode(Number.parseInt(char, 16)) : '');
}
