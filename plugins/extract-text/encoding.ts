import { isAscii, isUtf8 } from 'node:buffer';
import chardet from 'chardet';
import iconv from 'iconv-lite';
import { fileFault } from './failures.js';
import { guessEncoding } from './guess-encoding.js';

export interface DecodedText {
  readonly text: string;
  /** The encoding's name in lower case. */
  readonly encoding: string;
}

const sampleBytes = 262_144;
const escape = 0x1b;
/** Maximum share of ASCII bytes in UTF-16 that has no ASCII characters. */
const mostAscii = 0.8;
/** Its characters are escape sequences and ASCII bytes. iconv-lite lacks it. */
const iso2022 = 'iso-2022-jp';

const marks: readonly (readonly [encoding: string, mark: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-32le', [0xff, 0xfe, 0, 0]],
  ['utf-32be', [0, 0, 0xfe, 0xff]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/**
 * Decodes a text file by its byte order mark, as UTF-16 without one, by the first of its declared encodings that it may
 * have, as UTF-8 even if some bytes are bad, or by what its bytes look like. Throws UNSUPPORTED_MEDIA_TYPE if the bytes
 * are not text.
 */
export function decodeText(bytes: Buffer, ...declared: readonly (string | undefined)[]): DecodedText {
  const encoding = encodingOf(bytes, declared);
  const text = encoding === iso2022 ? new TextDecoder(encoding).decode(bytes) : iconv.decode(bytes, encoding);
  return { text, encoding };
}

/** Byte order marks, and every second byte of UTF-16. */
const encodingBytes = /^(?:\u00ef\u00bb\u00bf|\u00fe\u00ff|\u00ff\u00fe)|\0/g;

/** Returns text of unknown encoding so that the ASCII characters can be read, of which markup consists. */
export function asciiOf(bytes: Buffer): string {
  return bytes.toString('latin1').replace(encodingBytes, '');
}

export function looksLikeText(bytes: Buffer): boolean {
  return byMark(bytes) !== undefined || wideEncoding(bytes) !== undefined || !looksBinary(bytes);
}

function encodingOf(bytes: Buffer, declared: readonly (string | undefined)[]): string {
  const start = bytes.subarray(0, sampleBytes);
  const marked = byMark(bytes) ?? wideEncoding(start);
  if (marked) return marked;
  if (looksBinary(start)) throw fileFault('UNSUPPORTED_MEDIA_TYPE', 'Files of this format contain no text');
  const named = declared.map(known).find((name) => name !== undefined && mayBe(name, bytes));
  if (named && named !== 'utf-8') return named;
  if (isUtf8(bytes) && !isAscii(bytes)) return 'utf-8';
  if (switchesCharacterSets(bytes)) return iso2022;
  if (isAscii(bytes)) return 'utf-8';
  if (isDamagedUtf8(bytes.subarray(bytes.findIndex((byte) => byte > 127)), named ? 1 : 2)) return 'utf-8';
  return guessEncoding(bytes, known);
}

/**
 * Whether bytes may be in a declared encoding. Texts that were converted to UTF-8 are often still declared in their former
 * encoding, while text in another encoding is almost never valid UTF-8. ASCII bytes may be escape sequences.
 */
function mayBe(encoding: string, bytes: Buffer): boolean {
  if (encoding === 'utf-8') return true;
  if (isUtf8(bytes) && !isAscii(bytes)) return false;
  return !encoding.startsWith('utf-16') || mayBeWide(encoding, bytes);
}

/**
 * Whether bytes may be in a declared UTF-16. Its spaces and line ends have a zero byte, and no other text has one. A line of
 * Chinese may do without, but many of its bytes are beyond ASCII. Most other text of such bytes is nonsense in UTF-16.
 */
function mayBeWide(encoding: string, bytes: Buffer): boolean {
  if (isAscii(bytes)) return false;
  if (bytes.includes(0)) return true;
  if (bytes.length > sampleBytes) return false;
  const ascii = bytes.filter((byte) => byte < 128).length;
  if (bytes.length % 2 !== 0 || ascii > bytes.length * mostAscii) return false;
  return !/[\p{Unassigned}\p{Private_Use}\p{Surrogate}]/u.test(iconv.decode(bytes, encoding));
}

/** Throws UNSUPPORTED_MEDIA_TYPE if the bytes are in a variant of ISO-2022 other than ISO-2022-JP. */
function switchesCharacterSets(bytes: Buffer): boolean {
  const first = bytes.indexOf(escape);
  if (first < 0) return false;
  const detected = chardet.detect(bytes.subarray(first, first + sampleBytes))?.toLowerCase();
  if (!detected?.startsWith('iso-2022')) return false;
  if (detected === iso2022) return true;
  throw fileFault('UNSUPPORTED_MEDIA_TYPE', `Text in ${detected.toUpperCase()} is not supported`);
}

/**
 * Whether invalid bytes are UTF-8 apart from damage: `leastShare` characters beyond ASCII for each bad one, or any if only
 * the last character is cut off.
 */
function isDamagedUtf8(bytes: Buffer, leastShare: number): boolean {
  const decoder = new TextDecoder();
  const text = decoder.decode(bytes.subarray(0, sampleBytes), { stream: true });
  let [good, bad] = [0, 0];
  for (const character of text) {
    if (character === '\ufffd') bad++;
    else if (character > '\u007f') good++;
  }
  if (good === 0 || bad === 0) return good > 0;
  // A character that the end of the sample cuts off is not bad.
  if (bytes.length <= sampleBytes && decoder.decode() !== '') bad++;
  return good >= bad * leastShare;
}

function byMark(bytes: Buffer): string | undefined {
  return marks.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))?.[0];
}

/** Returns the encoding that browsers use for a label (https://encoding.spec.whatwg.org/#names-and-labels). */
function known(label: string | null | undefined): string | undefined {
  if (!label) return undefined;
  try {
    const { encoding } = new TextDecoder(label);
    if (encoding === 'gbk') return 'gb18030';
    return encoding === iso2022 || iconv.encodingExists(encoding) ? encoding : undefined;
  } catch {
    return undefined;
  }
}

/** Detects UTF-16 without a byte order mark: in Latin text, one half of the bytes is zero and the other never is. */
function wideEncoding(sample: Buffer): string | undefined {
  let even = 0;
  let odd = 0;
  for (let index = 0; index < sample.length; index++) {
    if (sample[index] !== 0) continue;
    if (index % 2 === 0) even++;
    else odd++;
  }
  const half = sample.length / 2;
  if (odd > half * 0.2 && even < half * 0.01) return 'utf-16le';
  if (even > half * 0.2 && odd < half * 0.01) return 'utf-16be';
  return undefined;
}

/** Texts have almost no control characters except white space, backspaces and escapes. */
function looksBinary(sample: Buffer): boolean {
  let controls = 0;
  for (const byte of sample) {
    if (byte < 8 || (byte > 13 && byte < 32 && byte !== escape) || byte === 127) controls++;
  }
  return controls > sample.length * 0.01;
}
