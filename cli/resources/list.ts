import { withService } from '../command.js';
import type { ServiceFlags } from '../service/find-service.js';
import { listPages, type ListedResource } from '@knowledge-warehouse/client';
import { toQuery, type FilterFlags } from './filter-options.js';
import { createJsonArray } from '../terminal/output.js';
import { statusStyle } from '../terminal/paint.js';
import { createTable, type Column } from '../terminal/table.js';
import { ago, bytes } from '../terminal/units.js';

export interface ListFlags extends ServiceFlags, FilterFlags {
  readonly count?: boolean;
  readonly limit: number;
  readonly all?: boolean;
  readonly json?: boolean;
}

/** On a narrower terminal names need the room. */
const leastWidthForTime = 110;

/** `kw ls`: a table, or a JSON array, that grows page by page: however many there are, few are in memory. */
export async function list(flags: ListFlags): Promise<void> {
  await withService(flags, async ({ client, output, paint, lines }) => {
    const most = flags.all === true ? Infinity : flags.limit;
    const filter = toQuery(flags);
    if (flags.count === true) {
      const query = { ...filter, count: true, limit: 1 };
      const { total } = (await client.GET('/resources', { params: { query } })).value;
      if (flags.json === true) output.json(total);
      else output.line(`${total?.relation === 'gte' ? 'more than ' : ''}${total?.value}`);
      return;
    }
    const pages = listPages(
      (page) => client.GET('/resources', { params: { query: { ...filter, ...page } } }),
      most,
    );
    if (flags.json === true) {
      const array = createJsonArray(output);
      for await (const { items } of pages) await array.add(items);
      await array.end();
      return;
    }
    const isNarrow = output.width !== null && output.width < leastWidthForTime;
    const created: Column<ListedResource> = {
      title: 'CREATED',
      value: ({ created_at }) => (output.width === null ? created_at : ago(created_at)),
    };
    const columns: readonly Column<ListedResource>[] = [
      { title: 'ID', value: ({ id }) => id },
      {
        title: 'STATUS',
        value: (resource) => resource.status,
        paint: (cell, resource) => paint(statusStyle(resource.status), cell),
      },
      { title: 'TYPE', value: (resource) => resource.type },
      { title: 'SIZE', value: ({ size_bytes: size }) => (size === null ? '' : bytes(size)), align: 'right' },
      ...(isNarrow ? [] : [created]),
      { title: 'NAME', value: ({ name }) => name },
    ];
    const table = createTable(columns, output.width);
    let isFirst = true;
    let more = false;
    for await (const page of pages) {
      ({ more } = page);
      const rows = table.lines(page.items);
      if (isFirst) output.line(paint('dim', table.header()));
      isFirst = false;
      await output.write(rows.map((row) => `${row}\n`).join(''));
    }
    if (more && lines.live) lines.print('There are more: --limit N, or --all.');
  });
}
