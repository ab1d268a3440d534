const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const opening = new Set([0x5b, 0x7b]);
const closing = new Set([0x5d, 0x7d]);
const space = new Set([0x20, 0x09, 0x0a, 0x0d]);

type Where = 'key' | 'other value' | 'content' | 'after';

/**
 * Yields the unchanged bytes of the member `content` of a JSON object while the object arrives, so that large
 * content needs little memory. Follows strings and nesting; members of the object itself are at depth 1.
 *
 * @throws Error if the object ends early or has no such member
 */
export async function* contentMember(json: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let depth = 0;
  let inString = false;
  let escaped = false;
  /** The text at depth 1 since the last comma or brace: the key, if a colon follows. */
  let key: number[] = [];
  let where = 'key' as Where;

  /** Processes a byte. Returns whether it belongs to the content. */
  const take = (byte: number): boolean => {
    if (inString) {
      if (escaped) escaped = false;
      else if (byte === backslash) escaped = true;
      else if (byte === quote) inString = false;
    } else if (byte === quote) inString = true;
    else if (opening.has(byte)) {
      depth += 1;
      if (depth === 1) return false;
    } else if (closing.has(byte)) {
      depth -= 1;
      if (depth === 0) return leave();
    } else if (depth === 1 && byte === comma) return leave();
    else if (depth === 1 && byte === colon && where === 'key') {
      where = Buffer.from(key).toString() === '"content"' ? 'content' : 'other value';
      return false;
    } else if (depth <= 1 && space.has(byte)) return false;
    if (where === 'key') key.push(byte);
    return where === 'content';
  };
  const leave = (): false => {
    where = where === 'content' || where === 'after' ? 'after' : 'key';
    key = [];
    return false;
  };

  for await (const chunk of json) {
    let from = -1;
    for (let at = 0; at < chunk.length; at += 1) {
      const belongs = take(chunk[at] as number);
      if (belongs && from < 0) from = at;
      else if (!belongs && from >= 0) {
        yield chunk.subarray(from, at);
        from = -1;
      }
    }
    if (from >= 0) yield chunk.subarray(from);
  }
  if (depth !== 0) throw new Error('The response ended early.');
  if (where !== 'after') throw new Error('The response has no content.');
}
