import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '../../../test/support/models/random.js';

const leastLength = 500;
const mostRead = 20 * 1024 * 1024;

/** Texts and queries made of real sentences. The same seed produces the same ones. */
export interface ChunkTexts {
  next(): string;
  /** Returns words that occur in texts. */
  words(count: number): string;
  /** Returns consecutive words of a text. */
  phrase(count: number): string;
}

/** Creates texts of about 500 characters from sentences in the documentation of installed packages. */
export function createChunkTexts(seed: number): ChunkTexts {
  const random = seededRandom(seed);
  const sentences: string[] = [];
  let read = 0;
  for (const name of readdirSync('node_modules').sort()) {
    const file = join('node_modules', name, 'README.md');
    if (!existsSync(file)) continue;
    const text = readFileSync(file, 'utf8');
    read += text.length;
    if (read > mostRead) break;
    sentences.push(...text.split(/(?<=[.!?\n])\s+/).filter(({ length }) => length > 20 && length < 400));
  }
  const one = (): string => sentences[Math.floor(random() * sentences.length)] ?? '';
  const wordsOf = (sentence: string): string[] => sentence.match(/[A-Za-z]{4,}/g) ?? ['readme'];
  return {
    next() {
      let text = '';
      while (text.length < leastLength) text += `${one()} `;
      return text;
    },
    words: (count) =>
      Array.from({ length: count }, () => {
        const words = wordsOf(one());
        return words[Math.floor(random() * words.length)] ?? 'readme';
      }).join(' '),
    phrase(count) {
      for (;;) {
        const words = one().match(/[A-Za-z]+/g) ?? [];
        if (words.length >= count) return words.slice(0, count).join(' ');
      }
    },
  };
}
