import { firstWhere } from '../../core/first-where.js';

export type Measure = (text: string) => number;

export type Encoding = 'o200k_base' | 'cl100k_base';

const encodings = {
  o200k_base: async () => import('#bundled/o200k_base'),
  cl100k_base: async () => import('#bundled/cl100k_base'),
};

/** The length up to which the tokens of a part are remembered, since most words repeat. */
const longestKnown = 48;
const mostKnown = 100_000;

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
  // Not kept for the next text, so that nothing about this text leaks to it.
  const counts = new Map<string, number>();
  return (text) => {
    if (text.length <= longestKnown) {
      let tokens = counts.get(text);
      if (tokens === undefined) {
        tokens = count(text);
        if (counts.size >= mostKnown) counts.clear();
        counts.set(text, tokens);
      }
      return tokens;
    }
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

/** Units of the part of a text between two positions, in UTF-16 code units. */
export type PartMeasure = (start: number, end: number) => number;

/** The minimum distance between two positions whose running total is stored, in UTF-16 code units. */
const sumEvery = 48;

/**
 * Measures overlapping parts of a text. The results are those of measuring each part by itself, but most of the text is
 * measured once. Encodings first split a text into pieces, and a blank that follows a visible character always begins a
 * new piece. So the sizes before and after such a blank can be added.
 */
export function partMeasure(text: string, measure: Measure): PartMeasure {
  const positions: number[] = [];
  const sums: number[] = [];
  let [from, sum, kept] = [0, 0, -sumEvery];
  for (const { index: at } of text.matchAll(/(?<=\S) /g)) {
    // The first piece is not summed: a part may begin within it.
    if (positions.length > 0) sum += measure(text.slice(from, at));
    if (positions.length === 0 || at - kept >= sumEvery) {
      positions.push(at);
      sums.push(sum);
      kept = at;
    }
    from = at;
  }
  return (start, end) => {
    const first = firstWhere(0, positions.length, (at) => (positions[at] ?? 0) >= start);
    const last = firstWhere(first, positions.length, (at) => (positions[at] ?? 0) > end) - 1;
    if (first >= last) return measure(text.slice(start, end));
    return (
      measure(text.slice(start, positions[first])) +
      ((sums[last] ?? 0) - (sums[first] ?? 0)) +
      measure(text.slice(positions[last], end))
    );
  };
}
