import { listPages, type Operation } from '@knowledge-warehouse/client';
import { withService } from '../command.js';
import { printPages } from '../print-pages.js';
import type { JsonFlags } from '../service/find-service.js';
import type { Column } from '../terminal/table.js';
import { ago } from '../terminal/units.js';
import { describeOperation, finish, followOperation } from './carry-out.js';

/** `kw operations ls`: lists operations, newest first. */
export async function listOperations(flags: JsonFlags & { readonly limit: number }): Promise<void> {
  await withService(flags, async (context) => {
    const { client, output } = context;
    const pages = listPages((page) => client.GET('/operations', { params: { query: page } }), flags.limit);
    const columns: readonly Column<Operation>[] = [
      { title: 'ID', value: ({ id }) => id },
      { title: 'ACTION', value: ({ action }) => action },
      { title: 'STATUS', value: ({ status }) => status },
      { title: 'DONE', value: ({ done }) => String(done), align: 'right' },
      { title: 'MATCHED', value: ({ matched }) => String(matched), align: 'right' },
      { title: 'CREATED', value: ({ created_at: at }) => (output.width === null ? at : ago(at)) },
    ];
    await printPages(context, pages, { json: flags.json, columns, seeMore: '--limit N' });
  });
}

/** `kw operations show`: shows one operation; with --wait, after it has ended. */
export async function showOperation(
  id: string,
  flags: JsonFlags & { readonly wait?: boolean },
): Promise<void> {
  await withService(flags, async (context) => {
    const { value } = await context.client.GET('/operations/{id}', { params: { path: { id } } });
    if (flags.wait === true) {
      finish(context, await followOperation(context, value), flags.json === true);
      return;
    }
    if (flags.json === true) context.output.json(value);
    else for (const line of describeOperation(value)) context.output.line(line);
  });
}

/** `kw operations cancel`: completed changes stay. */
export async function cancelOperation(id: string, flags: JsonFlags): Promise<void> {
  await withService(flags, async ({ client, output }) => {
    const { value } = await client.POST('/operations/{id}/cancel', { params: { path: { id } } });
    if (flags.json === true) output.json(value);
    else for (const line of describeOperation(value)) output.line(line);
  });
}
