/** Letters that NFKD does not decompose although people type another letter instead. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ı: 'i',
  þ: 'th',
  ς: 'σ',
  // Arabic: the forms of alef, alef maksura and teh marbuta, Persian yeh and kaf.
  ٱ: 'ا',
  ى: 'ي',
  ة: 'ه',
  ی: 'ي',
  ک: 'ك',
};

const plain = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'g');
/**
 * Accents of Latin, Greek and Cyrillic; Hebrew points; Arabic vowel marks and tatweel. In other scripts, marks are
 * letters.
 */
const accents =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]/g;
/** Invisible characters inside a word, such as variation selectors, and a line break after a soft hyphen. */
export const invisible = /[\p{Cf}\s\p{VS}]/gu;
const ascii = /^[\x00-\x7f]*$/;

/** Removes case, accents, width variants and invisible characters; words with the same result are equal in search. */
export function fold(word: string): string {
  if (ascii.test(word)) return word.toLowerCase();
  return word
    .normalize('NFKD')
    .replace(accents, '')
    .replace(invisible, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(plain, (letter) => plainLetters[letter] ?? letter);
}
