import { pipeline, Readable } from 'node:stream';
import { pick } from 'stream-json/filters/pick.js';
import streamArray from 'stream-json/streamers/stream-array.js';
import { readChunk } from '../../../core/documents/chunks.js';

/**
 * Returns the texts of a `chunks` artifact, separated by empty lines, for resources whose plugins made no other text.
 * Only one chunk at a time is in memory.
 */
export function chunksAsText(content: Readable): Readable {
  const array = pick.withParserAsStream({ filter: 'chunks', once: true });
  const items = streamArray.asStream();
  // Errors surface in the last stream, where the reader sees them.
  pipeline(content, array, items, () => undefined);
  return Readable.from(texts(items), { objectMode: false });
}

async function* texts(items: AsyncIterable<streamArray.StreamArrayItem>): AsyncGenerator<Buffer> {
  for await (const { key, value } of items) {
    const chunk = readChunk(value, key);
    if (chunk !== null) yield Buffer.from(key === 0 ? chunk.text : `\n\n${chunk.text}`);
  }
}
