import { inspect } from 'node:util';
import { invalidResult } from './plugin-failure.js';
import type { ContentStream, EmittedArtifact } from './types.js';

/** Whether an artifact's content is provided in pieces. */
export function isStreamed(content: EmittedArtifact['content']): content is ContentStream {
  return typeof content === 'object' && (content as unknown) !== null && Symbol.asyncIterator in content;
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

/** Yields the bytes of a content in UTF-8. A character may be split between two pieces of text. */
export async function* bytesOf(content: ContentStream): AsyncGenerator<Uint8Array> {
  let half = '';
  for await (const piece of content) {
    if (typeof piece !== 'string') {
      if (!((piece as unknown) instanceof Uint8Array))
        throw invalidResult(`A stream must yield strings or bytes, not ${inspect(piece, { depth: 0 })}.`);
      yield piece;
      continue;
    }
    const text = half + piece;
    half = isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.slice(-1) : '';
    const whole = half === '' ? text : text.slice(0, -1);
    if (whole !== '') yield Buffer.from(whole);
  }
  if (half !== '') yield Buffer.from(half);
}
