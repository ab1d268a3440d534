import { onService } from '../command.js';
import { printPages } from '../print-pages.js';
import type { JsonFlags } from '../service/find-service.js';
import { listPages, toApiError, type ListedResource } from '@knowledge-warehouse/client';
import { toQuery, type FilterFlags } from './filter-options.js';
import { statusStyle } from '../terminal/paint.js';
import type { Column } from '../terminal/table.js';
import { bytes } from '../terminal/units.js';

interface ListFlags extends JsonFlags, FilterFlags {
  readonly count?: boolean;
  readonly limit: number;
  readonly all?: boolean;
}

/** On a narrower terminal, names need the space. */
const leastWidthForTime = 110;

/** `kw ls`: lists resources or, with --count, prints their number. */
export const list = onService(async (context, flags: ListFlags) => {
  const { client, output, paint } = context;
  const most = flags.all === true ? Infinity : flags.limit;
  const filter = toQuery(flags);
  if (flags.count === true) {
    const query = { ...filter, count: true, limit: 1 };
    const { status, value } = await client.GET('/resources', { params: { query } });
    const total = (value as typeof value | null)?.total;
    if (typeof total?.value !== 'number') throw toApiError(status, null, '');
    output.result(total, flags, () => [`${total.relation === 'gte' ? 'more than ' : ''}${total.value}`]);
    return;
  }
  const pages = listPages(
    (page) => client.GET('/resources', { params: { query: { ...filter, ...page } } }),
    most,
  );
  const isNarrow = output.width !== null && output.width < leastWidthForTime;
  const created: Column<ListedResource> = { title: 'CREATED', value: (row) => output.time(row.created_at) };
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
  await printPages(context, pages, { json: flags.json, columns, seeMore: '--limit N, or --all' });
});
