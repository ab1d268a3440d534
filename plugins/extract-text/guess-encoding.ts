import chardet from 'chardet';
import iconv from 'iconv-lite';

const sampleBytes = 65_536;
/** Bytes before the first one beyond ASCII, whose words help to detect the language. */
const contextBytes = 4096;

/** The most common encoding besides Unicode. It is preferred if only a few characters could tell. */
const usual = 'windows-1252';
const usualLead = 10;
const thai = 'windows-874';
/** Encodings that chardet lacks or rarely finds. With fewer points, the others must fit worse by more. */
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
export function guessEncoding(
  bytes: Buffer,
  firstBeyondAscii: number,
  known: (label: string) => string | undefined,
): string {
  const from = Math.max(0, firstBeyondAscii - contextBytes);
  const sample = bytes.subarray(from, from + sampleBytes);
  const points = new Map([[usual, 0], ...rare]);
  for (const { name, confidence } of chardet.analyse(sample)) {
    // KOI8-U has the letters of KOI8-R and those of Ukrainian.
    const encoding = name === 'KOI8-R' ? 'koi8-u' : known(name);
    if (!encoding || /^(?:utf|iso-2022)/.test(encoding)) continue;
    points.set(encoding, Math.max(points.get(encoding) ?? 0, confidence));
  }
  const foreign = sample.filter((byte) => byte > 127).length;
  points.set(usual, (points.get(usual) ?? 0) + Math.max(0, usualLead - 2 * foreign));

  let best = { encoding: usual, total: -Infinity };
  for (const [encoding, likelihood] of points) {
    const text = iconv.decode(sample, encoding);
    const total = (encoding === thai ? thaiPoints(text) : likelihood) + allWrong * wrongShare(text);
    if (total > best.total) best = { encoding, total };
  }
  return best.encoding;
}

const beyondAscii = /[^\0-\u007f]/gu;
const word = /[\p{L}\p{M}]+/gu;
const eastAsian = '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}';
const eastAsianSigns = '\\u3000-\\u303f\\uff00-\\uffef';
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
  [/[\u00a8\u00af\u00b8\u02c6-\u02dd]/g, 1],
  // A Chinese, Japanese or Korean character on its own, and narrow Japanese ones.
  [
    new RegExp(`(?<![${eastAsian}${eastAsianSigns}])[${eastAsian}](?![${eastAsian}${eastAsianSigns}])`, 'gu'),
    1,
  ],
  [/[\uff61-\uff9f]/g, 0.5],
  // Thai vowels and tones that follow no letter, and vowels that no letter follows.
  [/(?<![\u0e01-\u0e4e])[\u0e30-\u0e3a\u0e45\u0e47-\u0e4e]|[\u0e40-\u0e44](?![\u0e01-\u0e2e])/gu, 1],
  // Rare Thai letters and digits.
  [/[\u0e03\u0e05\u0e06\u0e0c\u0e0e\u0e0f\u0e11\u0e12\u0e24\u0e26\u0e2c\u0e3f\u0e4d-\u0e5b]/g, 0.3],
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

/** Returns how unlikely a word is, from 0 to 1. */
function oddityOf(letters: string): number {
  if (scripts.filter((script) => script.test(letters)).length > 1) return 1;
  if (/\p{Ll}\p{Lu}/u.test(letters)) return 1;
  if (/^\p{sc=Latin}/u.test(letters)) {
    if (letters.length === 1 && !/^[aeiouyæøœªº]/i.test(letters.normalize('NFD'))) return 1;
    const accented = /[^\0-\u007f]{3,}/.exec(letters)?.[0].length ?? 0;
    if (accented > 0) return accented > 3 ? 1 : 0.1;
  }
  return /^\p{Lu}{2,}$/u.test(letters) ? 0.1 : 0;
}

const markedThai = /[\u0e01-\u0e1f][\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]/g;

/** Thai letters have vowels and tones above or below them. */
function thaiPoints(text: string): number {
  return Math.min(90, (500 * count(text, markedThai)) / Math.max(1, count(text, beyondAscii)));
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
