import { escapeTags } from '../markdown.js';

export type Mark = '_' | '**' | '~~';

/** Letters and digits, except those of scripts without spaces between words. */
const wordCharacter = /(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}])[\p{L}\p{N}]/u;
const digit = /\p{N}/u;

/**
 * Collects the inline content of one block as Markdown. White space is collapsed as in browsers and never
 * separates a mark from its text: a mark is written with its first text, or never.
 */
export class InlineMarkdown {
  #parts: string[] = [];
  /** White space and line ends that count if more text follows. */
  #space = false;
  #breaks = 0;
  /** The characters that a space separates here. */
  #gap: RegExp | null = null;
  /** The last character before the marks. */
  #last = '';
  readonly #marks = new Set<Mark>();
  /** Marks that are not written yet, possibly followed by the link's bracket. */
  #unwritten: string[] = [];
  #link: string | null = null;

  text(text: string): void {
    const collapsed = text.replace(/[ \t\r\n\f]+/g, ' ');
    const start = collapsed.startsWith(' ') ? 1 : 0;
    const end = collapsed.endsWith(' ') ? collapsed.length - 1 : collapsed.length;
    if (start === 1) this.#space = true;
    if (start >= end) return;
    const words = escapeMarks(collapsed.slice(start, end));
    const startsLine = this.#unwritten.length === 0 && (this.#parts.length === 0 || this.#breaks > 0);
    this.#write(startsLine ? escapeLineStart(words) : words, words);
    this.#space = end < collapsed.length;
  }

  /**
   * Writes a raised number, after a digit, a bracket or a word with `^`: 10^6, word^1. Names of up to three letters, such as
   * I2C, R2 and km2, are usual without it. No `^` begins a link: `[^1]` is a footnote in Markdown.
   */
  raised(number: string): void {
    const isApart =
      this.#space || this.#gap === wordCharacter || this.#breaks > 0 || this.#unwritten.length > 0;
    const before = isApart ? '' : (this.#parts.at(-1) ?? '').slice(-4);
    this.text(/(?:[\p{N})\]]|\p{L}{4})$/u.test(before) ? `^${number}` : number);
  }

  /** Writes a formula. A space keeps its numbers apart from those beside it. */
  formula(formula: string): void {
    this.#gap ??= digit;
    this.text(formula);
    this.#gap ??= digit;
  }

  code(code: string): void {
    const text = code.replace(/[ \t\r\n\f]+/g, ' ');
    if (text.startsWith(' ')) this.#space = true;
    const body = text.trim();
    if (body === '') return;
    const fence = '`'.repeat(longestRun(body, /`+/g) + 1);
    const pad = body.startsWith('`') || body.endsWith('`') ? ' ' : '';
    this.#write(`${fence}${pad}${body}${pad}${fence}`, body);
    this.#space = text.endsWith(' ');
  }

  space(): void {
    this.#space = true;
  }

  /** Separates words by a space, but not a word from a sign. */
  gap(): void {
    this.#gap = wordCharacter;
  }

  lineBreak(): void {
    this.#breaks++;
  }

  /** Returns whether the mark was opened. A mark inside another of its kind is ignored. */
  open(mark: Mark): boolean {
    if (this.#marks.has(mark)) return false;
    this.#marks.add(mark);
    this.#unwritten.push(mark);
    return true;
  }

  close(mark: Mark): void {
    this.#marks.delete(mark);
    if (!this.#withdraw(mark)) this.#parts.push(mark);
  }

  /** Returns whether the link was opened. Links cannot contain links. */
  openLink(target: string): boolean {
    if (this.#link !== null || target === '') return false;
    this.#link = target;
    this.#unwritten.push('[');
    return true;
  }

  closeLink(): void {
    if (this.#link === null) return;
    if (!this.#withdraw('[')) this.#parts.push(`](${this.#link})`);
    this.#link = null;
  }

  /**
   * Ends the block and returns it. Open marks continue in the next block. A link does not, so that a page cannot make
   * its target repeat endlessly.
   */
  take(): string {
    this.closeLink();
    const written = [...this.#marks].filter((mark) => !this.#unwritten.includes(mark));
    const text = [...this.#parts, ...written.reverse()].join('');
    this.#parts = [];
    this.#unwritten = [...this.#marks];
    this.#space = false;
    this.#gap = null;
    this.#breaks = 0;
    return text;
  }

  #write(text: string, words: string): void {
    if (this.#parts.length > 0) {
      if (this.#breaks > 0) this.#parts.push(this.#breaks === 1 ? '  \n' : '\n\n');
      else if (this.#space || (this.#gap !== null && separates(this.#last, words, this.#gap)))
        this.#parts.push(' ');
    }
    this.#last = lastOf(words);
    this.#space = false;
    this.#gap = null;
    this.#breaks = 0;
    this.#parts.push(...this.#unwritten, text);
    this.#unwritten = [];
  }

  /** Removes a mark that contains no text. */
  #withdraw(mark: string): boolean {
    const index = this.#unwritten.lastIndexOf(mark);
    if (index < 0) return false;
    this.#unwritten.splice(index, 1);
    return true;
  }
}

/** Whether the words on both sides of a picture would touch without it. */
export function separatesWords(before: string, after: string): boolean {
  return separates(before, after, wordCharacter);
}

function separates(before: string, after: string, character: RegExp): boolean {
  return character.test(lastOf(before)) && character.test(/^./su.exec(after)?.[0] ?? '');
}

function lastOf(text: string): string {
  return /.$/su.exec(text.slice(-2))?.[0] ?? '';
}

export function longestRun(text: string, pattern: RegExp): number {
  let longest = 0;
  for (const [run] of text.matchAll(pattern)) longest = Math.max(longest, run.length);
  return longest;
}

/** Escapes what Markdown would interpret. `_` in words and `*` between spaces are literal, so names stay searchable. */
function escapeMarks(text: string): string {
  return escapeTags(text.replace(/\\(?=[!-/:-@[-`{-~])|`|(?<!\s)\*|\*(?!\s)/g, '\\$&'))
    .replace(/(?<![\p{L}\p{N}_])_|_(?![\p{L}\p{N}_])/gu, '\\_')
    .replace(/\](?=[([:])/g, '\\]');
}

function escapeLineStart(text: string): string {
  return text
    .replace(/^(?:[-+>]|={3,}|#{1,6}(?=\s|$)|~~~)/, '\\$&')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2');
}
