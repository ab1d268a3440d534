import type { Lot } from '@knowledge-warehouse/client';
import type { CommandContext } from './command.js';
import { createTable, type Column } from './terminal/table.js';

/**
 * Prints a list page by page, as a JSON array with one item per line or as a table: long lists need little memory.
 *
 * @param options.seeMore The options that show more results.
 */
export async function printPages<Item>(
  { output, paint, lines }: Pick<CommandContext, 'output' | 'paint' | 'lines'>,
  pages: AsyncIterable<Lot<Item>>,
  options: {
    readonly json: boolean | undefined;
    readonly columns: readonly Column<Item>[];
    readonly seeMore: string;
  },
): Promise<void> {
  if (options.json === true) {
    let count = 0;
    for await (const { items } of pages) {
      const text = items.map((item) => `${count++ === 0 ? '[' : ','}\n${JSON.stringify(item)}`).join('');
      if (text !== '') await output.write(text);
    }
    await output.write(count === 0 ? '[]\n' : '\n]\n');
    return;
  }
  const table = createTable(options.columns, output.width);
  let isFirst = true;
  let hasMore = false;
  for await (const { items, more } of pages) {
    hasMore = more;
    // The first rows determine the column widths.
    const rows = table.lines(items);
    if (isFirst) output.line(paint('dim', table.header()));
    isFirst = false;
    await output.write(rows.map((row) => `${row}\n`).join(''));
  }
  if (hasMore && lines.live) lines.print(`More results: ${options.seeMore}.`);
}
