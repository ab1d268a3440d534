/** Counts the units of a text. */
export type Measure = (text: string) => number;

export type Encoding = 'o200k_base' | 'cl100k_base';

const encodings = {
  o200k_base: async () => import('#bundled/o200k_base'),
  cl100k_base: async () => import('#bundled/cl100k_base'),
};

const longestRun = 1000;
/** Runs that an encoding takes for one word: it needs time by the square of their length. */
const runs = /[\p{L}\p{M}]+|\s+|[^\s\p{L}\p{N}]+/gu;
const parts = new RegExp(`.{1,${longestRun}}`, 'gsu');

/**
 * Loads an encoding and counts tokens of it. Names of special tokens that stand in a text count as text. Runs of
 * more than 1000 letters, spaces or marks are counted in parts, which may come to a few tokens more.
 */
export async function tokenCounter(encoding: Encoding): Promise<Measure> {
  const { countTokens, clearMergeCache } = await encodings[encoding]();
  // It caches slices of the last text, each of which keeps the whole text alive.
  clearMergeCache();
  const options = { disallowedSpecial: new Set<string>() };
  const count: Measure = (text) => countTokens(text, options);
  return (text) => {
    if (text.length < longestRun) return count(text);
    let total = 0;
    let counted = 0;
    // All runs are looked for, not long ones: a pattern with a least length tries every one again from each of its places.
    for (const run of text.matchAll(runs)) {
      if (run[0].length < longestRun) continue;
      total += count(text.slice(counted, run.index));
      for (const [part] of run[0].matchAll(parts)) total += count(part);
      counted = run.index + run[0].length;
    }
    return total + count(text.slice(counted));
  };
}

/** Remembers what short texts measure: of words, most come again and again. */
export function remembering(measure: Measure): Measure {
  const mostRemembered = 100_000;
  const known = new Map<string, number>();
  return (text) => {
    let units = known.get(text);
    if (units === undefined) {
      units = measure(text);
      if (known.size >= mostRemembered) known.clear();
      known.set(text, units);
    }
    return units;
  };
}
