import { onService } from '../command.js';
import type { JsonFlags } from '../service/find-service.js';
import type { FailureGroup } from '@knowledge-warehouse/client';
import { tableLines, type Column } from '../terminal/table.js';
import { fit } from '../terminal/width.js';

/** Columns of an error code on a terminal. */
const widestCode = 30;

interface FailuresFlags extends JsonFlags {
  readonly type?: string;
  readonly since?: string;
}

/** `kw failures`: the resources that are FAILED now, grouped by cause. */
export const failures = onService(async (context, flags: FailuresFlags) => {
  const { client, output } = context;
  const { type, since } = flags;
  const query = { type: type === undefined ? undefined : [type], since };
  const { value } = await client.GET('/failures', { params: { query } });
  if (flags.json === true) {
    output.json(value);
    return;
  }
  const columns: readonly Column<FailureGroup>[] = [
    { title: 'COUNT', value: ({ count }) => String(count), align: 'right' },
    // One long code would leave no room for the messages of all.
    {
      title: 'ERROR',
      value: ({ error_code: code }) => (output.width === null ? code : fit(code, widestCode)),
    },
    { title: 'PLUGIN', value: ({ plugin_id: plugin }) => plugin ?? '' },
    { title: 'TYPE', value: (group) => group.type },
    { title: 'LAST', value: ({ last_at: at }) => output.time(at) },
    { title: 'EXAMPLE', value: ({ resource_id: id }) => id },
    { title: 'MESSAGE', value: ({ message }) => message ?? '' },
  ];
  const lines = tableLines(columns, value.items, context);
  await output.write(lines.map((line) => `${line}\n`).join(''));
});
