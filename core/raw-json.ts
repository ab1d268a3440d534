import { randomBytes } from 'node:crypto';

/** Marks the place of a `RawJson` in a text until its own text replaces the mark. It is random, so that no input can contain it. */
const marker = `raw-json-${randomBytes(16).toString('hex')}-`;
const placeholder = new RegExp(`"${marker}(\\d+)"`, 'g');

/** The texts of the value that `renderJson` is writing; null outside of it. */
let collected: string[] | null = null;

/**
 * A JSON value that is passed on as its text. What others made may be so large and so finely divided that to parse it
 * and to write it anew holds the event loop for longer than anybody may.
 */
export class RawJson {
  constructor(readonly text: string) {}

  /** A value that is small, or our own, as text; null stays null. */
  static of(value: unknown): RawJson | null {
    return value === null || value === undefined ? null : new RawJson(JSON.stringify(value));
  }

  parse(): unknown {
    return JSON.parse(this.text);
  }

  /** Called by JSON.stringify. */
  toJSON(): unknown {
    return collected === null ? this.parse() : `${marker}${collected.push(this.text) - 1}`;
  }
}

/** The JSON text of a value. Each `RawJson` in it is written unchanged. */
export function renderJson(value: unknown): string {
  const outer = collected;
  const texts: string[] = [];
  collected = texts;
  try {
    const json = JSON.stringify(value);
    return texts.length === 0 ? json : json.replace(placeholder, (_, at: string) => texts[Number(at)] ?? '');
  } finally {
    collected = outer;
  }
}
