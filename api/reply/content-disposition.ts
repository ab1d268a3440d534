/**
 * Returns a Content-Disposition header value (RFC 6266) with a file name: in ASCII for all clients and, if that loses
 * characters, also in UTF-8 (RFC 8187).
 */
export function contentDisposition(disposition: 'inline' | 'attachment', name: string): string {
  // Some clients decode percent signs in the ASCII form, so a name with one is also sent in UTF-8.
  const ascii = name.replace(/[^\x20-\x7e]/gu, '?').replaceAll('%', '_');
  const quoted = `"${ascii.replace(/["\\]/g, '\\$&')}"`;
  const plain = `${disposition}; filename=${quoted}`;
  return ascii === name ? plain : `${plain}; filename*=UTF-8''${encodeName(name)}`;
}

/** Percent-encodes all characters except the `attr-char` of RFC 8187. */
function encodeName(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
