import type { IndexedChunk, IndexReader, Ranked } from '../../runtime/search/engine.js';
import { isMatch } from '../../runtime/search/match.js';
import type { Query } from '../../runtime/search/query.js';
import { keyOf } from './rankers.js';

/** What a search may read: UTF-16 code units of texts, for this many milliseconds after it read the first one. */
const [mostRead, mostMs] = [64_000_000, 10_000];

/** The texts of ranked chunks. Each is read and compared with the query once, and forgotten if it does not match. */
export interface Texts {
  /** Reads the texts that were not read before, unless the search may read no more. */
  read(hits: readonly Ranked[]): Promise<void>;
  /** Returns the chunk if it was read and matches, `gone` if it no longer exists, otherwise null. */
  matching(hit: Ranked): IndexedChunk | 'gone' | null;
  /** Whether the search may read no more. */
  isSpent(): boolean;
}

export function createTexts(reader: IndexReader, query: Query): Texts {
  const isEasy = query.phrases.length === 0 && query.excluded.length === 0;
  const known = new Set<string>();
  const unchecked = new Map<string, IndexedChunk>();
  const matching = new Map<string, IndexedChunk | 'gone'>();
  let length = 0;
  let endsAt = Infinity;
  const isLate = (): boolean => performance.now() > endsAt;
  const isSpent = (): boolean => length > mostRead || isLate();

  const keep = (chunk: IndexedChunk): void => {
    known.add(keyOf(chunk));
    length += chunk.text.length;
    (isEasy ? matching : unchecked).set(keyOf(chunk), chunk);
  };

  return {
    isSpent,
    async read(hits) {
      if (isSpent()) return;
      if (endsAt === Infinity) endsAt = performance.now() + mostMs;
      for (const { chunk } of hits) if (chunk !== undefined && !known.has(keyOf(chunk))) keep(chunk);
      const missing = hits.filter((hit) => !known.has(keyOf(hit)));
      const spans = missing.map(({ resource_id, run, index }) => ({
        ...{ resource_id, run, first: index, last: index },
      }));
      for (const chunk of await reader.readChunks(spans)) keep(chunk);
      for (const hit of missing) if (!known.has(keyOf(hit))) matching.set(keyOf(hit), 'gone');
    },
    matching(hit) {
      const key = keyOf(hit);
      const chunk = unchecked.get(key);
      if (chunk !== undefined && !isLate()) {
        unchecked.delete(key);
        if (isMatch(chunk, query)) matching.set(key, chunk);
      }
      return matching.get(key) ?? null;
    },
  };
}
