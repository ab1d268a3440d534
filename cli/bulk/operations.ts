import { listPages, type Operation } from '@knowledge-warehouse/client';
import { onService } from '../command.js';
import { printPages } from '../print-pages.js';
import type { JsonFlags } from '../service/find-service.js';
import type { Column } from '../terminal/table.js';
import { describeOperation, finish, followOperation } from './carry-out.js';

type ShowFlags = JsonFlags & { readonly wait?: boolean };

/** `kw operations ls`: lists operations, newest first. */
export const listOperations = onService(async (context, flags: JsonFlags & { readonly limit: number }) => {
  const { client, output } = context;
  const pages = listPages((page) => client.GET('/operations', { params: { query: page } }), flags.limit);
  const columns: readonly Column<Operation>[] = [
    { title: 'ID', value: ({ id }) => id },
    { title: 'ACTION', value: ({ action }) => action },
    { title: 'STATUS', value: ({ status }) => status },
    { title: 'DONE', value: ({ done }) => String(done), align: 'right' },
    { title: 'MATCHED', value: ({ matched }) => String(matched), align: 'right' },
    { title: 'CREATED', value: ({ created_at: at }) => output.time(at) },
  ];
  await printPages(context, pages, { json: flags.json, columns, seeMore: '--limit N' });
});

/** `kw operations show`: shows one operation; with --wait, after it has ended. */
export const showOperation = onService(async (context, id: string, flags: ShowFlags) => {
  const { value } = await context.client.GET('/operations/{id}', { params: { path: { id } } });
  if (flags.wait === true) finish(context, await followOperation(context, value), flags);
  else context.output.result(value, flags, () => describeOperation(value));
});

/** `kw operations cancel`: completed changes stay. */
export const cancelOperation = onService(async ({ client, output }, id: string, flags: JsonFlags) => {
  const { value } = await client.POST('/operations/{id}/cancel', { params: { path: { id } } });
  output.result(value, flags, () => describeOperation(value));
});
