import type { Metadata, NewOperation, Resource } from '@knowledge-warehouse/client';
import { carryOut } from '../bulk/carry-out.js';
import { readFilter, type Filter, type FilterFlags } from '../bulk/filters.js';
import { onService, withService } from '../command.js';
import { UsageError } from '../exit.js';
import type { Client } from '../service/client.js';
import type { JsonFlags } from '../service/find-service.js';
import { requireYes } from '../terminal/ask.js';
import { plain } from '../terminal/text.js';
import { forEachResource } from './many.js';

type ManyFlags = JsonFlags & FilterFlags;

/** `kw cancel`: stops runs. */
export async function cancel(named: readonly string[], flags: ManyFlags): Promise<void> {
  const filter = readFilter(named, flags);
  await changeMany(named, filter, flags, { action: 'cancel' }, async (client, id) => {
    return (await client.POST('/resources/{id}/cancel', { params: { path: { id } } })).value;
  });
}

/** `kw enable`: shows resources to search and language models. */
export async function enable(named: readonly string[], flags: ManyFlags): Promise<void> {
  const filter = readFilter(named, flags);
  const body = { is_enabled: true };
  await changeMany(named, filter, flags, { action: 'enable' }, (client, id) => change(client, id, body));
}

/** `kw disable`: hides resources from search and language models. */
export async function disable(named: readonly string[], flags: ManyFlags): Promise<void> {
  const filter = readFilter(named, flags);
  const body = { is_enabled: false };
  await changeMany(named, filter, flags, { action: 'disable' }, (client, id) => change(client, id, body));
}

/** `kw rename`. */
export const rename = onService(async (context, idOrName: string, name: string, flags: JsonFlags) => {
  await forEachResource(context, [idOrName], flags, (id) => change(context.client, id, { name }));
});

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
  await changeMany(named, filter, flags, { action: 'set_metadata', metadata }, (client, id) =>
    change(client, id, { metadata }),
  );
}

/** `kw rm`: deletes resources with their artifacts, after confirmation. */
export async function remove(named: readonly string[], flags: ManyFlags): Promise<void> {
  const filter = readFilter(named, flags);
  const what = named.length === 1 ? plain(named[0] ?? '') : `${named.length} resources`;
  if (filter === null) await requireYes(`Delete ${what}?`, flags);
  await changeMany(named, filter, flags, { action: 'delete' }, async (client, id) => {
    await client.DELETE('/resources/{id}', { params: { path: { id } } });
    return null;
  });
}

/** Applies an action to each of the named resources, or in an operation to those that the filter selects. */
async function changeMany(
  named: readonly string[],
  filter: Filter | null,
  flags: ManyFlags,
  wish: NewOperation,
  changeOne: (client: Client, id: string) => Promise<Resource | null>,
): Promise<void> {
  await withService(flags, async (context) => {
    if (filter !== null) await carryOut(context, { ...wish, filter }, flags);
    else await forEachResource(context, named, flags, (id) => changeOne(context.client, id));
  });
}

type Changes = Partial<Pick<Resource, 'name' | 'is_enabled' | 'metadata'>>;

async function change(client: Client, id: string, body: Changes): Promise<Resource> {
  const options = { params: { path: { id } }, body, repeatable: true };
  return (await client.PATCH('/resources/{id}', options)).value;
}
