const voidElements = /^(area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i;
/** Comments, CDATA sections, a document type with its own declarations, and empty elements. */
const xmlOnly =
  /<!--[^]*?(?:-->|$)|<!\[CDATA\[([^]*?)(?:\]\]>|$)|<!DOCTYPE[^[<>]*\[[^]*?(?:\]\s*>|$)|<([a-z][\w:-]*)((?:\s[^<>]*)?)\/>/gi;

/**
 * Rewrites what an HTML parser misreads in XHTML: it would end a document type at its first declaration, take a CDATA
 * section for a comment, and include everything after an empty element such as `<title/>` in it.
 */
export function htmlOf(xhtml: string): string {
  return xhtml.replace(xmlOnly, (markup: string, ...groups: [string?, string?, string?]) => {
    const [text, name, attributes] = groups;
    if (text !== undefined) return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    if (name === undefined) return /^<!d/i.test(markup) ? '' : markup;
    return voidElements.test(name) ? markup : `<${name}${attributes}></${name}>`;
  });
}
