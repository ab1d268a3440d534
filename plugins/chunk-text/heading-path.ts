import { headingsIn, type Heading } from './headings.js';

const blank = /\s/;

/**
 * Scans a Markdown text and returns the path of headings above each of its chunks. Chunks must be requested in order,
 * since only the current path is kept.
 */
export class HeadingPath {
  readonly #text: string;
  readonly #headings: Generator<Heading, undefined>;
  #next: Heading | undefined;
  /** The open headings above the current text, outermost first. */
  #open: readonly Heading[] = [];
  #titles: readonly string[] = [];

  constructor(text: string) {
    this.#text = text;
    this.#headings = headingsIn(text);
    this.#advance();
  }

  /**
   * Returns the path above the text from `start` to `end`, in code units. It includes the headings that the text begins
   * with, since the rest of the text is below them.
   */
  at(start: number, end: number): readonly string[] {
    let at = this.#pastBlank(start, end);
    for (;;) {
      while (this.#next !== undefined && this.#next.start <= at && this.#next.start < end)
        this.#enter(this.#next);
      const last = this.#open.at(-1);
      if (last === undefined || last.end <= at) return this.#titles;
      at = this.#pastBlank(last.end, end);
    }
  }

  #enter(heading: Heading): void {
    this.#open = [...this.#open.filter(({ level }) => level < heading.level), heading];
    this.#titles = this.#open.map(({ title }) => title);
    this.#advance();
  }

  #advance(): void {
    this.#next = this.#headings.next().value;
  }

  #pastBlank(from: number, end: number): number {
    let at = from;
    while (at < end && blank.test(this.#text[at] ?? '')) at++;
    return at;
  }
}
