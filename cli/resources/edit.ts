import { carryOut } from '../bulk/carry-out.js';
import { readFilter, type FilterFlags } from '../bulk/filters.js';
import { withService } from '../command.js';
import type { Client } from '../service/client.js';
import type { JsonFlags } from '../service/find-service.js';
import type { Metadata, Resource } from '@knowledge-warehouse/client';
import { UsageError } from '../exit.js';
import { requireYes } from '../terminal/require-yes.js';
import { plain } from '../terminal/text.js';
import { forEachResource } from './many.js';

type ManyFlags = JsonFlags & FilterFlags;

/** `kw cancel`: stops runs. */
export async function cancel(named: readonly string[], flags: ManyFlags): Promise<void> {
  const filter = readFilter(named, flags);
  await withService(flags, async (context) => {
    if (filter !== null) await carryOut(context, { action: 'cancel', filter }, flags);
    else
      await forEachResource(context, named, flags, async (id) => {
        return (await context.client.POST('/resources/{id}/cancel', { params: { path: { id } } })).value;
      });
  });
}

/** `kw enable`: shows resources to search and language models. */
export const enable = (named: readonly string[], flags: ManyFlags): Promise<void> =>
  setEnabled('enable', named, flags);

/** `kw disable`: hides resources from search and language models. */
export const disable = (named: readonly string[], flags: ManyFlags): Promise<void> =>
  setEnabled('disable', named, flags);

async function setEnabled(
  action: 'enable' | 'disable',
  named: readonly string[],
  flags: ManyFlags,
): Promise<void> {
  const filter = readFilter(named, flags);
  const body = { is_enabled: action === 'enable' };
  await withService(flags, async (context) => {
    if (filter !== null) await carryOut(context, { action, filter }, flags);
    else await forEachResource(context, named, flags, (id) => change(context.client, id, body));
  });
}

/** `kw rename`. */
export async function rename(idOrName: string, name: string, flags: JsonFlags): Promise<void> {
  await withService(flags, async (context) => {
    await forEachResource(context, [idOrName], flags, (id) => change(context.client, id, { name }));
  });
}

interface MetadataFlags {
  readonly set?: Metadata;
  readonly unset?: readonly string[];
}

/** `kw set-metadata`: sets keys, and removes those that `--unset` names or `--set` makes null. */
export async function setMetadata(named: readonly string[], flags: ManyFlags & MetadataFlags): Promise<void> {
  const filter = readFilter(named, flags);
  const { set = {}, unset = [] } = flags;
  const both = unset.find((key) => Object.hasOwn(set, key));
  if (both !== undefined) throw new UsageError(`Either --set or --unset ${both}, not both.`);
  const metadata = { ...set, ...Object.fromEntries(unset.map((key) => [key, null])) };
  if (Object.keys(metadata).length === 0) throw new UsageError('Missing changes: pass --set or --unset.');
  await withService(flags, async (context) => {
    if (filter !== null) await carryOut(context, { action: 'set_metadata', filter, metadata }, flags);
    else await forEachResource(context, named, flags, (id) => change(context.client, id, { metadata }));
  });
}

async function change(
  client: Client,
  id: string,
  body: {
    readonly name?: string;
    readonly type?: string;
    readonly is_enabled?: boolean;
    readonly metadata?: Metadata;
  },
): Promise<Resource> {
  const options = { params: { path: { id } }, body, repeatable: true };
  return (await client.PATCH('/resources/{id}', options)).value;
}

/** `kw rm`: deletes resources with their artifacts, after confirmation. */
export async function remove(named: readonly string[], flags: ManyFlags): Promise<void> {
  const filter = readFilter(named, flags);
  if (filter !== null) {
    await withService(flags, (context) => carryOut(context, { action: 'delete', filter }, flags));
    return;
  }
  await requireYes(
    `Delete ${named.length === 1 ? plain(named[0] ?? '') : `${named.length} resources`}?`,
    flags,
  );
  await withService(flags, async (context) => {
    await forEachResource(context, named, flags, async (id) => {
      await context.client.DELETE('/resources/{id}', { params: { path: { id } } });
      return null;
    });
  });
}
