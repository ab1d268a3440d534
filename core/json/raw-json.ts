import { randomBytes } from 'node:crypto';

/** A placeholder for a `RawJson`, later replaced by its text. It is random, so no input can contain it. */
const marker = `raw-json-${randomBytes(16).toString('hex')}-`;
const placeholder = new RegExp(`"${marker}(\\d+)"`, 'g');

/** The texts of the value that `renderJson` is writing; null outside of `renderJson`. */
let collected: string[] | null = null;

/**
 * A JSON value that is passed on as text. Parsing and re-serializing large values from outside would block
 * the event loop too long.
 */
export class RawJson {
  constructor(readonly text: string) {}

  /** Serializes a value that is small or our own; null stays null. */
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

/** Serializes a value. Each `RawJson` in it is written verbatim. */
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
