/** Decodes a JSON string from its bytes as they arrive. Throws Error if it is invalid or ends early. */
export async function* decodeString(json: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let held = '';
  let isFirst = true;
  for await (const chunk of json) {
    held += decoder.decode(chunk, { stream: true });
    if (isFirst && held !== '') {
      if (!held.startsWith('"')) throw new Error('The content is not text.');
      held = held.slice(1);
      isFirst = false;
    }
    const length = safeLength(withoutLast(held));
    if (length > 0) yield parse(held.slice(0, length));
    held = held.slice(length);
  }
  held += decoder.decode();
  if (!held.endsWith('"')) throw new Error('The content ended early.');
  const rest = parse(held.slice(0, -1));
  if (rest !== '') yield rest;
}

const parse = (inside: string): string => JSON.parse(`"${inside}"`) as string;

/** Drops the last character, which may be the closing quote. */
const withoutLast = (text: string): string => text.slice(0, /[\udc00-\udfff]$/.test(text) ? -2 : -1);

const highSurrogate = /^\\u[dD][89abAB]/;

/** Returns how much of a string's inside can be parsed now, without splitting an escape or a surrogate pair. */
function safeLength(inside: string): number {
  const start = lastEscape(inside);
  if (start === null) return inside.length;
  const escape = inside.slice(start, start + 6);
  const isWhole = escape.startsWith('\\u') ? escape.length === 6 : escape.length >= 2;
  if (!isWhole) {
    const before = lastEscape(inside.slice(0, start));
    return before === start - 6 && highSurrogate.test(inside.slice(before)) ? before : start;
  }
  return highSurrogate.test(escape) && start + 6 === inside.length ? start : inside.length;
}

/** Returns the index of the last escape. In a row of backslashes, every other one starts an escape. */
function lastEscape(inside: string): number | null {
  const last = inside.lastIndexOf('\\');
  if (last < 0) return null;
  let first = last;
  while (first > 0 && inside[first - 1] === '\\') first -= 1;
  return (last - first) % 2 === 0 ? last : last - 1;
}
