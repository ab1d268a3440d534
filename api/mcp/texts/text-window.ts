import type { Readable } from 'node:stream';

/** A part of a text. */
export interface TextWindow {
  readonly text: string;
  /** Whether the text continues after this part. */
  readonly hasMore: boolean;
}

/**
 * Reads the code points from `start` to before `end` of a UTF-8 stream, and closes the stream. Only that part and one
 * piece of the stream are in memory, however long the text is.
 */
export async function readWindow(stream: Readable, start: number, end: number): Promise<TextWindow> {
  const parts: Buffer[] = [];
  let passed = 0;
  // Leaving the loop destroys the stream.
  for await (const piece of stream as AsyncIterable<Buffer>) {
    const count = countBegun(piece);
    if (passed + count > start) {
      const from = passed > start ? 0 : byteOf(piece, start - passed);
      const to = byteOf(piece, end - passed);
      if (from < to) parts.push(piece.subarray(from, to));
      if (to < piece.length) return { text: Buffer.concat(parts).toString(), hasMore: true };
    } else if (passed > start) parts.push(piece);
    passed += count;
  }
  return { text: Buffer.concat(parts).toString(), hasMore: false };
}

/** Whether a byte of UTF-8 begins a code point; the others continue one. */
const begins = (byte: number | undefined): boolean => ((byte ?? 0) & 0xc0) !== 0x80;

function countBegun(piece: Buffer): number {
  let count = 0;
  for (let at = 0; at < piece.length; at += 1) if (begins(piece[at])) count += 1;
  return count;
}

/**
 * Returns the index of the byte at which the code point with this number begins, or the piece's length if it comes
 * later.
 */
function byteOf(piece: Buffer, number: number): number {
  let left = number;
  for (let at = 0; at < piece.length; at += 1) {
    if (!begins(piece[at])) continue;
    if (left === 0) return at;
    left -= 1;
  }
  return piece.length;
}
