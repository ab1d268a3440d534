import { clip } from '@knowledge-warehouse/plugin/protocol';

/** As much of a text as has at most this many bytes as JSON, never half of a character. */
export function clipJson(text: string, bytes: number): string {
  let length = text.length;
  while (jsonBytes(clip(text, length)) > bytes) length -= 1;
  return clip(text, length);
}

/** How many bytes of UTF-8 a value has as JSON. */
export function jsonBytes(value: string | readonly string[]): number {
  return Buffer.byteLength(JSON.stringify(value));
}
