import { format, resolveConfig } from 'prettier';
import type { Result } from '../kit/figure.js';
import { rowsOf } from '../kit/rows.js';

const begin = '<!-- figures: written by npm run bench:draw -->';
const end = '<!-- end of the figures -->';

/**
 * Inserts the table of all results between the marks in a Markdown text.
 *
 * @throws Error if the marks are missing
 */
export async function withTable(text: string, file: string, results: readonly Result[]): Promise<string> {
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${file} has no lines "${begin}" and "${end}".`);
  const filled = `${text.slice(0, from)}${begin}\n\n${table(results)}\n\n${text.slice(to)}`;
  return await format(filled, { ...(await resolveConfig(file)), parser: 'markdown' });
}

function table(results: readonly Result[]): string {
  const head = [
    'bench',
    'what',
    'ours (median)',
    'beside (median)',
    'ratio: median (min to max)',
    'goal',
    'reached',
  ];
  const lines = results.flatMap((result) =>
    rowsOf(result).map((row, index) => [
      index === 0 ? result.bench : '',
      row.what,
      row.ours,
      row.beside,
      row.ratio,
      row.goal,
      row.reached,
    ]),
  );
  return [head, head.map(() => '---'), ...lines]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
}
