/** Returns at most this many characters (UTF-16 code units) as well-formed text: never half a surrogate pair. */
export function clip(text: string, length: number): string {
  const kept = text.length > length ? text.slice(0, length).replace(/\p{Surrogate}$/u, '') : text;
  return kept.toWellFormed();
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Parses an absolute URL, or one relative to a base; null if it is invalid. Replaces `URL.canParse`, which in Node 20
 * returns false for a URL with Latin-1 letters (`http://bücher.example/`) once its caller is hot and has been compiled.
 */
export function parseUrl(text: string, base?: URL | string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

/** Returns the value of a JSON text; undefined for anything else, such as a buffer too long for a text. */
export function parseJson(text: string | Buffer): unknown {
  try {
    return JSON.parse(text.toString());
  } catch {
    return undefined;
  }
}
