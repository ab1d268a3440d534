/** At most this many characters (UTF-16 code units) as well-formed text: never half of a surrogate pair. */
export function clip(text: string, length: number): string {
  const kept = text.length > length ? text.slice(0, length).replace(/\p{Surrogate}$/u, '') : text;
  return kept.toWellFormed();
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * An absolute URL, or one against a base; null for what is none. In place of `URL.canParse`, which in Node 20 says false
 * to a URL with letters of Latin-1 (`http://bücher.example/`) once its caller has become hot and is compiled.
 */
export function parseUrl(text: string, base?: URL): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
