/** Browsers apply a late declaration too, although the standard allows it only in the first 1024 bytes. */
const declarationBytes = 16_384;
const notShown = /<!--[^]*?(?:-->|$)|<script\b[^]*?(?:<\/script|$)/gi;
const attribute = /(?<![^\s"'/])([a-z-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;

/** A page's declared encoding (https://html.spec.whatwg.org/#prescan-a-byte-stream-to-determine-its-encoding). */
export function charsetOf(bytes: Buffer): string | undefined {
  const start = bytes.toString('latin1', 0, declarationBytes).replace(notShown, '');
  const charset =
    metaCharset(start) ??
    /^<\?xml[^>]*\sencoding\s*=\s*(?:"([^">]+)"|'([^'>]+)')/.exec(start)?.slice(1).join('');
  // A declaration that can be read as ASCII is not in UTF-16.
  return charset && /^(?:utf-?16|(?:cs)?unicode|(?:iso-10646-)?ucs-?2)/i.test(charset) ? 'utf-8' : charset;
}

function metaCharset(start: string): string | undefined {
  for (const [tag] of start.matchAll(/<meta[\s/][^<>]*/gi)) {
    const found = new Map<string, string>();
    for (const [, name = '', ...values] of tag.matchAll(attribute))
      found.set(name.toLowerCase(), values.find(Boolean) ?? '');
    const isType = found.get('http-equiv')?.trim().toLowerCase() === 'content-type';
    const content = isType
      ? /charset\s*=\s*["']?([^\s"';]+)/i.exec(found.get('content') ?? '')?.[1]
      : undefined;
    const charset = found.get('charset')?.trim() ?? content;
    if (charset) return charset;
  }
  return undefined;
}
