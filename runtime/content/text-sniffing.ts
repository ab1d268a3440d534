/** Control characters that no text contains: https://mimesniff.spec.whatwg.org/#binary-data-byte */
const binary = /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]/;

function decode(encoding: string, bytes: Buffer, fatal: boolean): string | null {
  try {
    // Decodes as a stream because the last character may be incomplete.
    const text = new TextDecoder(encoding, { fatal }).decode(bytes, { stream: true });
    return binary.test(text) ? null : text;
  } catch {
    return null;
  }
}

/** Whether most bytes at odd or even positions are zero and no others: typical of UTF-16 without byte order mark. */
function hasZerosAt(bytes: Buffer, offset: 0 | 1): boolean {
  let zeros = 0;
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] !== 0) continue;
    if (i % 2 !== offset) return false;
    zeros++;
  }
  return zeros * 3 > bytes.length;
}

/**
 * The beginning of a text, or null if the bytes are binary. Byte order marks, UTF-8 and UTF-16 are recognized. Bytes in
 * another encoding count as text if they contain no control characters, and are decoded as Latin-1, which is good
 * enough to look for ASCII markers.
 */
export function decodeIfText(bytes: Buffer): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decode('utf-16le', bytes, false);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decode('utf-16be', bytes, false);
  if (hasZerosAt(bytes, 1)) return decode('utf-16le', bytes, true);
  if (hasZerosAt(bytes, 0)) return decode('utf-16be', bytes, true);
  // Checked first: control characters are the same bytes in both, and most binary files have some near the beginning.
  if (binary.test(bytes.toString('latin1'))) return null;
  return decode('utf-8', bytes, true) ?? decode('latin1', bytes, false);
}

/** Whether the bytes are the beginning of a text in UTF-8 or ASCII. */
export const startsAsUtf8 = (bytes: Buffer): boolean => decode('utf-8', bytes, true) !== null;

/** Whether the bytes are UTF-16, or UTF-8 with characters beyond ASCII: text in other encodings is almost never valid UTF-8. */
export function isUnicode(bytes: Buffer): boolean {
  const hasMark = bytes.length >= 2 && [0xfeff, 0xfffe].includes(bytes.readUInt16BE());
  if (hasMark || hasZerosAt(bytes, 0) || hasZerosAt(bytes, 1)) return true;
  return bytes.some((byte) => byte > 0x7f) && startsAsUtf8(bytes);
}

/** What may precede the first element: a byte order mark, white space, an XML declaration, comments. */
const prologue = /^\uFEFF?(?:\s+|<\?xml[^>]*\?>|<!--[\s\S]*?-->)*/i;

/**
 * The media type of markup, detected from its beginning, or null. HTML must begin like a complete page, since Markdown
 * may also begin with `<p>` or `<div>`.
 */
export function markupType(text: string): string | null {
  const before = prologue.exec(text)?.[0] ?? '';
  const rest = text.slice(before.length, before.length + 2000);
  const isXml = /<\?xml/i.test(before);
  if (/^(?:<!doctype\s+html|<html|<head|<body)[\s>]/i.test(rest))
    return isXml ? 'application/xhtml+xml' : 'text/html';
  if (/^(?:<!doctype\s+svg[^>]*>\s*)?<svg[\s>]/i.test(rest)) return 'image/svg+xml';
  return isXml ? 'application/xml' : null;
}

export function looksLikeHtmlFragment(text: string): boolean {
  const rest = text.slice(prologue.exec(text)?.[0].length ?? 0, 2000);
  return /^<(?:script|iframe|h[1-6]|div|font|table|a|style|title|b|br|p|ul|ol|article|section|main|meta|link)[\s>/]/i.test(
    rest,
  );
}

/** Whether the text is a single complete JSON object or array. */
export function isJson(text: string): boolean {
  if (!/^\uFEFF?\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text.replace(/^\uFEFF/, ''));
    return true;
  } catch {
    return false;
  }
}
