import { randomUUID } from 'node:crypto';

import { withService, type CommandContext } from '../command.js';
import { UsageError } from '../exit.js';
import type { ServiceFlags } from '../service/find-service.js';
import type { Resource, ResourceStatus } from '@knowledge-warehouse/client';
import { createBoard } from './board.js';
import { forEachResource } from './many.js';
import { createWaiter, type Waiter } from './waiter.js';

export interface ReprocessFlags extends ServiceFlags {
  readonly fromStep?: number | 'failed';
  readonly wait?: boolean;
  readonly all?: boolean;
  readonly type?: string;
  readonly status?: ResourceStatus;
  readonly json?: boolean;
}

/** `kw reprocess`: resources that are named, or, with --all, every one of a type or a status. */
export async function reprocess(named: readonly string[], flags: ReprocessFlags): Promise<void> {
  const { all = false, type, status } = flags;
  if (all && named.length > 0) throw new UsageError('Name resources, or give --all: not both.');
  if (!all && named.length === 0)
    throw new UsageError('Name the resources, or give --all with --type or --status.');
  if (!all && (type ?? status) !== undefined) throw new UsageError('--type and --status go with --all.');
  if (all && (type ?? status) === undefined) throw new UsageError('--all needs --type or --status.');
  if (all && (flags.wait === true || flags.fromStep !== undefined))
    throw new UsageError('--wait and --from-step go with resources that are named.');
  await withService(flags, async (context) => {
    if (all) await reprocessMatching(context, flags);
    else await reprocessNamed(context, named, flags);
  });
}

async function reprocessMatching(
  { client, output }: CommandContext,
  { type, status, json = false }: ReprocessFlags,
): Promise<void> {
  const { value: body } = await client.POST('/resources/reprocess', {
    params: { header: { 'Idempotency-Key': randomUUID() } },
    body: { ...(type !== undefined && { type }), ...(status !== undefined && { status }) },
  });
  if (json) output.json(body);
  else output.line(`${body.count} will be processed again.`);
}

async function reprocessNamed(
  context: CommandContext,
  named: readonly string[],
  { fromStep, wait = false, json }: ReprocessFlags,
): Promise<void> {
  const { client, lines } = context;
  const board = createBoard(lines);
  const waiter = wait ? createWaiter(context, board) : null;
  const settled = async (waiter: Waiter, { id }: Resource, name: string): Promise<Resource> => {
    try {
      return await waiter.wait(id, name, { id });
    } finally {
      board.remove(id);
    }
  };
  const options = {
    json,
    ...(waiter !== null && { wait: (resource: Resource, name: string) => settled(waiter, resource, name) }),
  };
  await forEachResource(context, named, options, async (id) => {
    const { value } = await client.POST('/resources/{id}/reprocess', {
      params: { path: { id }, header: { 'Idempotency-Key': randomUUID() } },
      body: fromStep === undefined ? {} : { from_step: fromStep },
    });
    return value;
  });
}
