import type { ByteRange } from './types.js';

/** The prefix of the keys of all contents of resources. */
export const everyResource = 'resources/';

/** Maximum length of an S3 key in bytes (the alphabet is ASCII), and of a name in common file systems. */
const longestKey = 1024;
const longestSegment = 255;

function isSegment(segment: string): boolean {
  return (
    /^[A-Za-z0-9._-]+$/.test(segment) &&
    segment !== '.' &&
    segment !== '..' &&
    segment.length <= longestSegment
  );
}

/** Throws a TypeError unless the string is a valid key; see `ObjectStore`. */
export function assertKey(key: string): void {
  if (key.length > longestKey || !key.split('/').every(isSegment)) {
    throw new TypeError(`Not a key of the object store: ${JSON.stringify(key.slice(0, 100))}`);
  }
}

/** Throws a TypeError unless the string is a valid prefix of a key; the empty string is. */
export function assertPrefix(prefix: string): void {
  if (prefix !== '' && prefix !== '.' && prefix !== '..')
    assertKey(prefix.endsWith('/') ? prefix.slice(0, -1) : prefix);
}

/** Throws a RangeError unless the ends of the range are integers in ascending order. */
export function assertRange({ start, end }: ByteRange): void {
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start) {
    throw new RangeError(`Not a range of bytes: ${start}-${end}`);
  }
}
