/** What file systems allow. A longer header can also exceed a proxy's buffer, since UTF-8 is sent percent-encoded. */
const longestBytes = 255;

/**
 * Returns a Content-Disposition header value (RFC 6266) with a file name: in ASCII for all clients and, if that loses
 * characters, also in UTF-8 (RFC 8187). A name of more than 255 bytes in UTF-8 is cut before its extension.
 */
export function contentDisposition(disposition: 'inline' | 'attachment', name: string): string {
  const short = shorten(name);
  // Some clients decode percent signs in the ASCII form, so a name with one is also sent in UTF-8.
  const ascii = short.replace(/[^\x20-\x7e]/gu, '?').replaceAll('%', '_');
  const quoted = `"${ascii.replace(/["\\]/g, '\\$&')}"`;
  const plain = `${disposition}; filename=${quoted}`;
  return ascii === short ? plain : `${plain}; filename*=UTF-8''${encodeName(short)}`;
}

/** Shortens a name by whole code points. What follows the last dot is an extension only if it is short. */
function shorten(name: string): string {
  if (Buffer.byteLength(name) <= longestBytes) return name;
  const [extension = ''] = /\.[^.\s]{1,16}$/u.exec(name) ?? [];
  let free = longestBytes - Buffer.byteLength(extension);
  let kept = '';
  for (const character of name.slice(0, name.length - extension.length)) {
    free -= Buffer.byteLength(character);
    if (free < 0) break;
    kept += character;
  }
  return kept + extension;
}

/** Percent-encodes all characters except the `attr-char` of RFC 8187. */
function encodeName(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
