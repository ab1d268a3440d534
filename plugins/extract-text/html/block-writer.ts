import type { TextWriter } from '../text-writer.js';

/** The prefix of the lines of a list item or a block quote. */
interface Frame {
  readonly rest: string;
  /** The lead that was pending when the frame began. */
  readonly outerLead: string | null;
}

/** Deeper frames are not indented further: indenting every level would make the output quadratic in the depth. */
const deepestIndent = 8;

/** Writes Markdown blocks within list items and block quotes. Each line gets the prefixes of its frames. */
export class BlockWriter {
  readonly #out: TextWriter;
  readonly #frames: Frame[] = [];
  /** The prefix of the next line while a list item's mark has no text yet. */
  #lead: string | null = null;
  /** The content of the empty line before that line. */
  #leadBlank = '';
  #isTight = false;
  #isFirst = true;

  constructor(out: TextWriter) {
    this.#out = out;
  }

  /** Begins a list item or a block quote. A tight one follows the previous block without an empty line. */
  enter(mark: string, { tight = false, repeats = false } = {}): void {
    const outer = this.#frames.at(-1)?.rest ?? '';
    const isDeep = this.#frames.length >= deepestIndent;
    const indent = repeats ? mark : ' '.repeat(mark.length);
    this.#frames.push({ rest: isDeep ? outer : outer + indent, outerLead: this.#lead });
    if (this.#lead === null) [this.#isTight, this.#leadBlank] = [tight, outer.trimEnd()];
    this.#lead = (isDeep ? outer : (this.#lead ?? outer)) + mark;
  }

  leave(): void {
    const frame = this.#frames.pop();
    // Nothing was written in the frame: restore the lead that was pending before it.
    if (this.#lead !== null) this.#lead = frame?.outerLead ?? null;
  }

  /** Writes a block, with an empty line before it unless it is tight. Skips blank blocks. */
  block(text: string): void {
    const trimmed = text.replace(/^\n+/, '').trimEnd();
    if (trimmed.trim() !== '') this.pieces([trimmed]);
  }

  pieces(pieces: Iterable<string>): void {
    const rest = this.#frames.at(-1)?.rest ?? '';
    const blank = rest.trimEnd();
    const isTight = this.#lead !== null && this.#isTight;
    if (!this.#isFirst)
      this.#out.write(isTight ? '\n' : `\n${this.#lead === null ? blank : this.#leadBlank}\n`);
    this.#out.write(this.#lead ?? rest);
    this.#lead = null;
    this.#isFirst = false;
    for (const piece of pieces) this.#out.write(rest === '' ? piece : indented(piece, rest, blank));
  }

  end(): void {
    if (!this.#isFirst) this.#out.write('\n\n');
  }
}

function indented(text: string, rest: string, blank: string): string {
  return text.replace(/\n(?!\n)/g, `\n${rest}`).replace(/\n(?=\n)/g, `\n${blank}`);
}
