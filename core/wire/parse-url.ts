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
