import { withService } from '../command.js';
import type { Client } from '../service/client.js';
import type { ServiceFlags } from '../service/find-service.js';
import type { Resource } from '@knowledge-warehouse/client';
import { requireYes } from '../terminal/require-yes.js';
import { plain } from '../terminal/text.js';
import { forEachResource } from './many.js';

type Flags = ServiceFlags & { readonly json?: boolean };

/** `kw cancel`: ends what runs. */
export async function cancel(named: readonly string[], flags: Flags): Promise<void> {
  await withService(flags, async (context) => {
    await forEachResource(context, named, flags, async (id) => {
      return (await context.client.POST('/resources/{id}/cancel', { params: { path: { id } } })).value;
    });
  });
}

/** `kw enable`, `kw disable`: whether language models are shown it. */
export async function setEnabled(named: readonly string[], isEnabled: boolean, flags: Flags): Promise<void> {
  await withService(flags, async (context) => {
    await forEachResource(context, named, flags, (id) =>
      change(context.client, id, { is_enabled: isEnabled }),
    );
  });
}

/** `kw rename`. */
export async function rename(idOrName: string, name: string, flags: Flags): Promise<void> {
  await withService(flags, async (context) => {
    await forEachResource(context, [idOrName], flags, (id) => change(context.client, id, { name }));
  });
}

async function change(
  client: Client,
  id: string,
  body: { readonly name?: string; readonly is_enabled?: boolean },
): Promise<Resource> {
  const options = { params: { path: { id } }, body, repeatable: true };
  return (await client.PATCH('/resources/{id}', options)).value;
}

/** `kw rm`: deletes resources with their artifacts, once somebody has said yes. */
export async function remove(
  named: readonly string[],
  flags: ServiceFlags & { readonly yes?: boolean },
): Promise<void> {
  await requireYes(
    `Delete ${named.length === 1 ? plain(named[0] ?? '') : `${named.length} resources`}?`,
    flags,
  );
  await withService(flags, async (context) => {
    await forEachResource(context, named, {}, async (id, name) => {
      await context.client.DELETE('/resources/{id}', { params: { path: { id } } });
      context.output.line(`Deleted ${plain(name)}.`);
      return null;
    });
  });
}
