import type { Readable } from 'node:stream';

/** Returns the bytes of a stream, or null if there are more than `mostBytes`. */
export async function readAtMost(stream: Readable, mostBytes: number): Promise<Buffer | null> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of stream) {
    pieces.push(piece as Buffer);
    bytes += (piece as Buffer).length;
    if (bytes > mostBytes) return null;
  }
  return Buffer.concat(pieces);
}
