import { listPages, type components } from '@knowledge-warehouse/client';
import { withService } from '../command.js';
import type { ServiceFlags } from '../service/find-service.js';
import { createJsonArray } from '../terminal/output.js';
import { createTable, type Column } from '../terminal/table.js';
import { ago } from '../terminal/units.js';

export interface AuditFlags extends ServiceFlags {
  readonly key?: string;
  readonly action?: string;
  readonly object?: string;
  readonly since?: string;
  readonly limit: number;
  readonly json?: boolean;
}

type Entry = components['schemas']['AuditEntry'];

/** `kw audit`: a table, or a JSON array, that grows page by page. */
export async function listAudit(flags: AuditFlags): Promise<void> {
  await withService(flags, async ({ client, output, paint, lines }) => {
    const { key, action, object, since } = flags;
    const filter = {
      ...(key !== undefined && { key }),
      ...(action !== undefined && { action }),
      ...(object !== undefined && { object }),
      ...(since !== undefined && { since }),
    };
    const pages = listPages(
      (page) => client.GET('/audit', { params: { query: { ...filter, ...page } } }),
      flags.limit,
    );
    if (flags.json === true) {
      const array = createJsonArray(output);
      for await (const { items } of pages) await array.add(items);
      await array.end();
      return;
    }
    const columns: readonly Column<Entry>[] = [
      { title: 'TIME', value: ({ at }) => (output.width === null ? at : ago(at)) },
      { title: 'KEY', value: (entry) => entry.key?.name ?? 'kw keys' },
      { title: 'ADDRESS', value: ({ address }) => address ?? '' },
      { title: 'ACTION', value: (entry) => entry.action },
      { title: 'OBJECT', value: ({ object: changed }) => [changed.type, changed.id ?? ''].join(' ').trim() },
    ];
    const table = createTable(columns, output.width);
    let isFirst = true;
    let more = false;
    for await (const page of pages) {
      ({ more } = page);
      // The widths of the columns are those of the first rows.
      const rows = table.lines(page.items);
      if (isFirst) output.line(paint('dim', table.header()));
      isFirst = false;
      await output.write(rows.map((row) => `${row}\n`).join(''));
    }
    if (more && lines.live) lines.print('There are more: --limit N.');
  });
}
