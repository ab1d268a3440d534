/** Counts the units of a text. */
export type Measure = (text: string) => number;

export type Encoding = 'o200k_base' | 'cl100k_base';

const encodings = {
  o200k_base: async () => import('#bundled/o200k_base'),
  cl100k_base: async () => import('#bundled/cl100k_base'),
};

const longestRun = 1000;
/** Runs that an encoding treats as one word, which takes time quadratic in their length. */
const runs = /[\p{L}\p{M}]+|\s+|[^\s\p{L}\p{N}]+/gu;
const parts = new RegExp(`.{1,${longestRun}}`, 'gsu');

/**
 * Loads an encoding and returns a function that counts its tokens. Names of special tokens count as ordinary text. Runs
 * of more than 1000 letters, spaces or marks are counted in parts, which may add a few tokens.
 */
export async function tokenCounter(encoding: Encoding): Promise<Measure> {
  const { countTokens, clearMergeCache } = await encodings[encoding]();
  // The cache holds slices of the last text, each of which keeps the whole text in memory.
  clearMergeCache();
  const options = { disallowedSpecial: new Set<string>() };
  const count: Measure = (text) => countTokens(text, options);
  return (text) => {
    if (text.length < longestRun) return count(text);
    let total = 0;
    let counted = 0;
    // Matches all runs, not only long ones: a pattern with a minimum length would retry each run from every position.
    for (const run of text.matchAll(runs)) {
      if (run[0].length < longestRun) continue;
      total += count(text.slice(counted, run.index));
      for (const [part] of run[0].matchAll(parts)) total += count(part);
      counted = run.index + run[0].length;
    }
    return total + count(text.slice(counted));
  };
}

/** Caches the sizes of short texts, since most words repeat many times. */
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
