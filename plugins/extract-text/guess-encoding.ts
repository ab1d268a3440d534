import chardet from 'chardet';
import iconv from 'iconv-lite';

const sampleBytes = 65_536;
/** Bytes of a long line kept before and after a byte beyond ASCII; after it, up to the end of the word. */
const contextBytes = 4096;
const lineEnd = 10;
const space = 32;

/** The most common encoding besides Unicode. It is preferred if only a few characters could tell. */
const usual = 'windows-1252';
const usualLead = 10;
const thai = 'windows-874';
/** Encodings that chardet lacks or rarely finds. The fewer points one starts with, the worse the others must fit. */
const rare: readonly (readonly [encoding: string, points: number])[] = [
  [thai, 0],
  ['windows-1250', -10],
  ['windows-1251', 0],
  ['ibm866', 0],
  ['cp850', -30],
  ['cp852', -40],
];
/** Points for a text in which each character beyond ASCII is wrong. chardet gives up to 100 points. */
const allWrong = -300;

/**
 * Guesses the encoding of a text that is not Unicode: chardet compares the letters with those of languages, which needs
 * some length, and words that make no sense count against it.
 *
 * @param known Returns the name of the encoding that a label means.
 */
export function guessEncoding(bytes: Buffer, known: (label: string) => string | undefined): string {
  const sample = sampleOf(bytes);
  const points = new Map([[usual, 0], ...rare]);
  const foreign = sample.filter((byte) => byte > 127).length;
  for (const { name, confidence } of chardet.analyse(sample)) {
    // KOI8-U has the letters of KOI8-R and those of Ukrainian.
    const encoding = name === 'KOI8-R' ? 'koi8-u' : known(name);
    if (!encoding || /^(?:utf|iso-2022)/.test(encoding)) continue;
    // A single accented letter of Spanish would be a Baltic one.
    if (encoding === 'windows-1257' && foreign < 2) continue;
    points.set(encoding, Math.max(points.get(encoding) ?? 0, confidence));
  }
  points.set(usual, (points.get(usual) ?? 0) + Math.max(0, usualLead - 2 * foreign));

  let best = { encoding: usual, total: -Infinity };
  for (const [encoding, likelihood] of points) {
    const text = iconv.decode(sample, encoding).replace(runs, '$1');
    const total = (encoding === thai ? thaiPoints(text) : likelihood) + allWrong * wrongShare(text);
    if (total > best.total) best = { encoding, total };
  }
  return best.encoding;
}

/** Returns the first lines that have bytes beyond ASCII, and of long lines what is near such bytes. */
function sampleOf(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  let [size, end] = [0, 0];
  for (let at = 0; at < bytes.length && size < sampleBytes; at++) {
    if ((bytes[at] ?? 0) < 128) continue;
    const from = Math.max(end, at - contextBytes);
    const start = from + bytes.subarray(from, at).lastIndexOf(lineEnd) + 1;
    const limit = Math.min(bytes.length, start + sampleBytes - size);
    for (end = at; end < limit && bytes[end] !== lineEnd; end++) {
      if (end > at + contextBytes && (bytes[end] ?? 0) <= space) break;
    }
    end = Math.min(end + 1, limit);
    parts.push(bytes.subarray(start, end));
    size += end - start;
    at = end - 1;
  }
  return Buffer.concat(parts);
}

/** Lines of one sign, such as the dots of a table of contents. */
const runs = /([^\0-\u007f])\1{2,}/gu;
const beyondAscii = /[^\0-\u007f]/gu;
const word = /[\p{L}\p{M}]+/gu;
const eastAsian = '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}';
const eastAsianSigns = '\\u3000-\\u303f\\u30a0\\u30fb\\u30fc\\uff00-\\uffef';
const notAfterEastAsian = `(?<![${eastAsian}${eastAsianSigns}])`;
const notBeforeEastAsian = `(?![${eastAsian}${eastAsianSigns}])`;
const boxes = '\\u2017\\u2500-\\u25ff';
const letterOfWord = `(?![${eastAsian}])\\p{L}`;

/** What hardly any text has, and how wrong it is. */
const oddities: readonly (readonly [pattern: RegExp, weight: number])[] = [
  [/[\ufffd\p{Unassigned}\p{Private_Use}\u0080-\u0084\u0086-\u009f]/gu, 3],
  // A sign within a word, except those that join words.
  [
    new RegExp(
      `(?<=${letterOfWord})(?![\\0-\\u007f\\u00ad\\u00b7\\u2010-\\u2015\\u2018\\u2019\\u2026])[\\p{S}\\p{P}\\p{N}ªº](?=${letterOfWord})`,
      'gu',
    ),
    1,
  ],
  // Each sign that two others follow, except dashes, dots, boxes and those of East Asia.
  [
    new RegExp(`(?:(?![\\0-\\u007f\\u2010-\\u2026${boxes}${eastAsianSigns}])[\\p{S}\\p{P}\\p{N}]){3}`, 'gu'),
    3,
  ],
  // Boxes beside letters, and accents without a letter.
  [new RegExp(`(?<=\\p{L})[${boxes}]|[${boxes}](?=\\p{L})`, 'gu'), 1],
  [/[\u00a8\u00b8\u02c6-\u02dd]/g, 1],
  // A Chinese, Japanese or Korean character on its own, unless it may count something, and narrow Japanese ones.
  [
    new RegExp(`${notAfterEastAsian}(?<!\\d[ ,]?)[${eastAsian}]${notBeforeEastAsian}(?![ ,\\t]?\\d)`, 'gu'),
    1,
  ],
  // A sign and a letter such as "°C" look like a single character in Big5.
  [new RegExp(`${notAfterEastAsian}\\p{sc=Han}${notBeforeEastAsian}`, 'gu'), 0.02],
  [/[\uff61-\uff9f]/g, 0.5],
  // Thai vowels and tones that follow no letter, and vowels that no letter follows.
  [/(?<![\u0e01-\u0e4e])[\u0e30-\u0e3a\u0e45\u0e47-\u0e4e]|[\u0e40-\u0e44](?![\u0e01-\u0e2e])/gu, 1],
  // One or two Thai characters on their own.
  [/(?<![\u0e01-\u0e4e])[\u0e01-\u0e4e]{1,2}(?![\u0e01-\u0e4e])/gu, 1],
  // Rare Thai letters and digits.
  [/[\u0e03\u0e05\u0e06\u0e0c\u0e0e\u0e0f\u0e11\u0e12\u0e24\u0e26\u0e2c\u0e3f\u0e4d-\u0e5b]/g, 0.5],
];

/** Returns the share of the characters beyond ASCII that make no sense where they are. */
function wrongShare(text: string): number {
  let wrong = 0;
  for (const [pattern, weight] of oddities) wrong += count(text, pattern) * weight;
  for (const [letters] of text.matchAll(word)) wrong += count(letters, beyondAscii) * oddityOf(letters);
  return wrong / Math.max(1, count(text, beyondAscii));
}

const scripts = ['Latin', 'Cyrillic', 'Greek', 'Hebrew', 'Arabic', 'Thai'].map(
  (script) => new RegExp(`\\p{sc=${script}}`, 'u'),
);

/** Names in programs of several words in Russian or Greek. In other encodings these look like words as well. */
const camelCase = /^(?:(?:[А-ЯЁ]+[а-яё]+)+[А-ЯЁ]*|(?:[Α-ΩΆΈ-Ώ]+[ά-ώ]+)+[Α-ΩΆΈ-Ώ]*)$/;

/** Returns how unlikely a word is, from 0 to 1. */
function oddityOf(letters: string): number {
  if (scripts.filter((script) => script.test(letters)).length > 1) return 1;
  if (/\p{Ll}\p{Lu}/u.test(letters) && !camelCase.test(letters)) return 1;
  if (/^\p{sc=Latin}/u.test(letters)) {
    if (letters.length === 1 && !/^[aeiouyæøœßªº]/i.test(letters.normalize('NFD'))) return 1;
    const accented = /[^\0-\u007f]{3,}/.exec(letters)?.[0].length ?? 0;
    if (accented > 0) return accented > 3 ? 1 : 0.1;
  }
  return /^\p{Lu}{2,}$/u.test(letters) ? 0.1 : 0;
}

const markedThai = /[\u0e01-\u0e1f][\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]/g;

/** Fewer characters than these may look like Thai by chance. */
const leastThai = 12;

/** Thai letters have vowels and tones above or below them. */
function thaiPoints(text: string): number {
  const most = count(text, beyondAscii) < leastThai ? 25 : 90;
  return Math.min(most, (500 * count(text, markedThai)) / Math.max(1, count(text, beyondAscii)));
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
