import { parseArgs } from 'node:util';

/** Returns the arguments of a program of the benches: the names to run, which are all by default, and `--scale`. */
export function readArguments(
  kind: 'bench' | 'load',
  known: readonly string[],
): { readonly names: readonly string[]; readonly scale: number } {
  const { values, positionals } = parseArgs({
    options: { scale: { type: 'string', default: '1' } },
    allowPositionals: true,
  });
  const scale = Number(values.scale);
  if (!(scale > 0)) throw new Error('--scale must be a number above 0.');
  const unknown = positionals.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Error(
      `Unknown ${kind}: ${unknown.join(', ')}. The ${kind === 'bench' ? 'benches' : 'loads'} are ${known.join(', ')}.`,
    );
  return { names: positionals.length > 0 ? positionals : known, scale };
}
