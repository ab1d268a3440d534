import type { Word } from './split.js';

/** The length of the shortest part of a compound and of the longest word that is split, in letters. */
const [shortestPart, longestWord] = [5, 30];
const latin = /^[a-z]+$/;

/**
 * The two parts that a compound may consist of, such as "passwort" and "datei" for "passwortdatei". These are the parts
 * of every possible split: parts that are not words match nothing.
 */
export function partsOf({ word, start, end }: Word): readonly Word[] {
  if (!latin.test(word) || word.length > longestWord) return [];
  const splits = Math.max(0, word.length - 2 * shortestPart + 1);
  return Array.from({ length: splits }, (_, index) => shortestPart + index)
    .flatMap((at) => [word.slice(0, at), word.slice(at)])
    .map((part) => ({ word: part, start, end }));
}
