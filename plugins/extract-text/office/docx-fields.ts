import type { BuiltAttributes } from '../html/markup.js';

interface Field {
  instruction: string;
  /** The target, once its instruction is complete. */
  link: BuiltAttributes | null;
}

/** Fields whose instruction and result are in separate runs (ECMA-376 part 1, 17.16.18). */
export class FieldStack {
  readonly #open: Field[] = [];
  /** Those whose result has not begun. */
  readonly #instructed = new Set<Field>();

  /** The target of the innermost link among the open fields. */
  get link(): BuiltAttributes | null {
    return this.#open.findLast(({ link }) => link !== null)?.link ?? null;
  }

  /** Whether the content here belongs to an instruction, which is not shown. */
  get isInInstruction(): boolean {
    return this.#instructed.size > 0;
  }

  mark(type: string | undefined): void {
    const innermost = this.#open.at(-1);
    if (type === 'begin') {
      const field = { instruction: '', link: null };
      this.#open.push(field);
      this.#instructed.add(field);
    } else if (innermost && (type === 'separate' || type === 'end')) {
      this.#instructed.delete(innermost);
      if (type === 'end') this.#open.pop();
      else innermost.link = linkOf(innermost.instruction);
    }
  }

  /** Ends all instructions: a field that is never closed must not hide the rest of the document. */
  endParagraph(): void {
    this.#instructed.clear();
  }

  instruct(text: string): void {
    const innermost = this.#open.at(-1);
    if (innermost) innermost.instruction += text;
  }
}

/** Returns the link of an instruction such as `HYPERLINK "https://example.org" \l "place"`. */
function linkOf(instruction: string): BuiltAttributes | null {
  const rest = /^\s*HYPERLINK\s(.*)$/s.exec(instruction)?.[1];
  if (rest === undefined) return null;
  const place = /\\l\s+(?:"([^"]*)"|(\S+))/.exec(rest);
  const address = /^\s*(?:"([^"]*)"|([^\s"\\]\S*))/.exec(rest);
  const fragment = place ? `#${place[1] ?? place[2] ?? ''}` : '';
  return { href: `${address?.[1] ?? address?.[2] ?? ''}${fragment}` };
}
