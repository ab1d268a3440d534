import { clip } from '@knowledge-warehouse/plugin/protocol';

/** The longest prefix of a text that takes at most this many bytes as JSON, without cutting a character. */
export function clipJson(text: string, bytes: number): string {
  let length = text.length;
  while (jsonBytes(clip(text, length)) > bytes) length -= 1;
  return clip(text, length);
}

export function jsonBytes(value: string | readonly string[]): number {
  return Buffer.byteLength(JSON.stringify(value));
}
