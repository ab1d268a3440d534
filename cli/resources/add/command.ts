import pLimit from 'p-limit';

import { withService, type CommandContext } from '../../command.js';
import type { ServiceFlags } from '../../service/find-service.js';
import { isSettled, type Metadata, type Resource } from '@knowledge-warehouse/client';
import { createBoard } from '../board.js';
import { createOutcomes } from '../outcomes.js';
import { createWaiter, type Waiter } from '../waiter.js';
import { createRegistrar } from './register.js';
import { findSources, type Source } from './sources.js';

export interface AddFlags extends ServiceFlags {
  readonly type: string;
  readonly name?: string;
  readonly metadata?: Metadata;
  readonly recursive?: boolean;
  readonly parallel: number;
  readonly wait?: boolean;
  readonly json?: boolean;
}

/** `kw add`: registers several files and URLs at a time, and waits for their outcomes if requested. */
export async function add(args: readonly string[], flags: AddFlags): Promise<void> {
  const sources = findSources(args, flags, (text) => void process.stderr.write(`${text}\n`));
  await withService(flags, async (context) => {
    await addSources(context, sources, flags);
  });
}

async function addSources(
  context: CommandContext,
  sources: readonly Source[],
  flags: AddFlags,
): Promise<void> {
  const { client, lines, signal } = context;
  const { wait = false, json = false } = flags;
  const board = createBoard(lines);
  const outcomes = createOutcomes(context, { json, needed: wait ? 'COMPLETED' : 'any' });
  const registrar = createRegistrar({ client, board, signal }, flags);
  const waiter = wait ? createWaiter(context, board) : null;
  const limit = pLimit(flags.parallel);
  const registered: (Resource | undefined)[] = [];

  const addOne = async (source: Source, index: number): Promise<void> => {
    const key = String(index);
    try {
      const resource = await limit(() => {
        signal.throwIfAborted();
        return registrar.register(key, source);
      });
      registered[index] = resource;
      const shown = waiter === null ? resource : await settle(waiter, key, resource);
      board.remove(key);
      outcomes.done(index, shown);
    } catch (error) {
      outcomes.failed(index, source.kind === 'file' ? source.path : source.name, error);
    } finally {
      board.remove(key);
    }
  };

  try {
    await Promise.all(sources.map(addOne));
  } catch (error) {
    lines.end();
    limit.clearQueue();
    if (signal.aborted) reportInterruption(context, sources, { registered, registrar });
    outcomes.report();
    throw error;
  }
  lines.end();
  if (!json && sources.length > 1)
    lines.print(summary(sources.length, registered, outcomes.failures(), wait));
  outcomes.finish();
}

const settle = async (waiter: Waiter, key: string, resource: Resource): Promise<Resource> =>
  isSettled(resource) ? resource : await waiter.wait(key, resource.name, resource);

function summary(
  total: number,
  registered: readonly (Resource | undefined)[],
  failures: number,
  wait: boolean,
): string {
  if (wait) return `${total - failures} of ${total} COMPLETED.`;
  return `${registered.filter((resource) => resource !== undefined).length} of ${total} registered.`;
}

/** Prints which resources are registered and still running, and which are not. */
function reportInterruption(
  { lines }: CommandContext,
  sources: readonly Source[],
  state: {
    readonly registered: readonly (Resource | undefined)[];
    readonly registrar: ReturnType<typeof createRegistrar>;
  },
): void {
  const { registered, registrar } = state;
  const done = registered.filter((resource) => resource !== undefined);
  lines.print(`Interrupted. ${done.length} of ${sources.length} registered and still running:`);
  for (const { id, name } of done) lines.print(`  ${id}  ${name}`);
  for (const [index, { name }] of sources.entries()) {
    if (registered[index] === undefined && registrar.mayBeRegistered(String(index)))
      lines.print(
        `  not known    ${name} was sent, but there was no response: "kw ls -q" finds it if it arrived`,
      );
  }
}
