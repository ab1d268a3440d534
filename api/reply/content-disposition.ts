/**
 * The value of a Content-Disposition header (RFC 6266) with the name of a file: in ASCII for all clients and, where that
 * is not the whole name, in UTF-8 (RFC 8187) for those that read it.
 */
export function contentDisposition(disposition: 'inline' | 'attachment', name: string): string {
  // Some clients decode percent signs in the plain form, so a name with one is given in the other form too.
  const ascii = name.replace(/[^\x20-\x7e]/gu, '?').replaceAll('%', '_');
  const quoted = `"${ascii.replace(/["\\]/g, '\\$&')}"`;
  const plain = `${disposition}; filename=${quoted}`;
  return ascii === name ? plain : `${plain}; filename*=UTF-8''${encodeName(name)}`;
}

/** Percent-encodes all but the `attr-char` of RFC 8187. */
function encodeName(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
