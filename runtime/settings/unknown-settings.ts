import { secretNames } from './secret-files.js';
import { settings, type Environment } from './settings.js';

/** Names beginning with KW_ that our other programs read: `kw` as a client, plugin workers and docker-compose.yml. */
const otherNames = ['KW_URL', 'KW_API_KEY', 'KW_ENDPOINT', 'KW_SIGNING_SECRET', 'KW_WORKERS'];

const knownNames = new Set([
  ...Object.keys(settings),
  ...secretNames.map((name) => `${name}_FILE`),
  ...otherNames,
]);

/** Names in the environment that look like settings of ours but are not, each with the most similar setting. */
export function unknownSettings(
  env: Environment,
): { readonly name: string; readonly closest: string | null }[] {
  return Object.keys(env)
    .filter((name) => name.startsWith('KW_') && !knownNames.has(name))
    .map((name) => ({ name, closest: closestTo(name) }));
}

/** The same as warnings to print. */
export function warnOfUnknownSettings(env: Environment): string[] {
  return unknownSettings(env).map(
    ({ name, closest }) =>
      `${name} is not a setting and has no effect.${closest === null ? '' : ` Did you mean ${closest}?`}`,
  );
}

/** The maximum edit distance between an unknown name and a suggestion: a third of the name after `KW_`, but at least 2. */
const mostEdits = (name: string): number => Math.max(2, Math.floor((name.length - 'KW_'.length) / 3));

function closestTo(name: string): string | null {
  const ranked = [...knownNames]
    .map((known) => ({ known, edits: countEdits(name, known) }))
    .sort((a, b) => a.edits - b.edits);
  const [best] = ranked;
  return best !== undefined && best.edits <= mostEdits(name) ? best.known : null;
}

/** The edit distance: insertions, deletions, substitutions and transpositions (optimal string alignment distance). */
function countEdits(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, at) => at)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Infinity;
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= to.length; j++) {
      const isSame = from[i - 1] === to[j - 1];
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      row.push(
        Math.min(
          at(i - 1, j) + 1,
          at(i, j - 1) + 1,
          at(i - 1, j - 1) + (isSame ? 0 : 1),
          isSwap ? at(i - 2, j - 2) + 1 : Infinity,
        ),
      );
    }
  }
  return at(from.length, to.length);
}
