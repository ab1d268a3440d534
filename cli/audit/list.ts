import { listPages, type components } from '@knowledge-warehouse/client';
import { onService } from '../command.js';
import { printPages } from '../print-pages.js';
import type { JsonFlags } from '../service/find-service.js';
import type { Column } from '../terminal/table.js';

interface AuditFlags extends JsonFlags {
  readonly key?: string;
  readonly action?: string;
  readonly object?: string;
  readonly since?: string;
  readonly limit: number;
}

type Entry = components['schemas']['AuditEntry'];

/** `kw audit`: lists changes, newest first. */
export const listAudit = onService(async (context, flags: AuditFlags) => {
  const { client, output } = context;
  const { key, action, object, since } = flags;
  const pages = listPages(
    (page) => client.GET('/audit', { params: { query: { key, action, object, since, ...page } } }),
    flags.limit,
  );
  const columns: readonly Column<Entry>[] = [
    { title: 'TIME', value: ({ at }) => output.time(at) },
    { title: 'KEY', value: (entry) => entry.key?.name ?? 'kw keys' },
    { title: 'ADDRESS', value: ({ address }) => address ?? '' },
    { title: 'ACTION', value: (entry) => entry.action },
    { title: 'OBJECT', value: ({ object: changed }) => [changed.type, changed.id ?? ''].join(' ').trim() },
  ];
  await printPages(context, pages, { json: flags.json, columns, seeMore: '--limit N' });
});
