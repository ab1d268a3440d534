import { randomUUID } from 'node:crypto';

import { carryOut } from '../bulk/carry-out.js';
import { readFilter, type FilterFlags } from '../bulk/filters.js';
import { withService, type CommandContext } from '../command.js';
import { UsageError } from '../exit.js';
import type { JsonFlags } from '../service/find-service.js';
import type { Resource } from '@knowledge-warehouse/client';
import { createBoard } from './board.js';
import { forEachResource } from './many.js';
import { createWaiter } from './waiter.js';

interface ReprocessFlags extends JsonFlags, FilterFlags {
  readonly fromStep?: number | 'failed';
  readonly wait?: boolean;
}

/** `kw reprocess`: reprocesses named resources, or those that options select. */
export async function reprocess(named: readonly string[], flags: ReprocessFlags): Promise<void> {
  const filter = readFilter(named, flags);
  if (filter !== null && flags.wait === true) throw new UsageError('--wait needs the names of resources.');
  await withService(flags, async (context) => {
    const { fromStep } = flags;
    const step = fromStep === undefined ? {} : { from_step: fromStep };
    if (filter === null) await reprocessNamed(context, named, flags);
    else await carryOut(context, { action: 'reprocess', filter, ...step }, flags);
  });
}

async function reprocessNamed(
  context: CommandContext,
  named: readonly string[],
  { fromStep, wait = false, json }: ReprocessFlags,
): Promise<void> {
  const { client, lines } = context;
  const waiter = wait ? createWaiter(context, createBoard(lines)) : null;
  const options = {
    json,
    ...(waiter && { wait: (resource: Resource, name: string) => waiter.wait(resource.id, name, resource) }),
  };
  await forEachResource(context, named, options, async (id) => {
    const { value } = await client.POST('/resources/{id}/reprocess', {
      params: { path: { id }, header: { 'Idempotency-Key': randomUUID() } },
      body: fromStep === undefined ? {} : { from_step: fromStep },
    });
    return value;
  });
}
