import pLimit from 'p-limit';

import { withService, type CommandContext } from '../../command.js';
import type { JsonFlags } from '../../service/find-service.js';
import { isSettled, type Metadata, type Resource } from '@knowledge-warehouse/client';
import { plain } from '../../terminal/text.js';
import { createBoard } from '../board.js';
import { createOutcomes } from '../outcomes.js';
import { createWaiter, type Waiter } from '../waiter.js';
import { createRegistrar } from './register.js';
import { findSources, type Source } from './sources.js';

interface AddFlags extends JsonFlags {
  readonly type: string;
  readonly name?: string;
  readonly metadata?: Metadata;
  readonly recursive?: boolean;
  readonly parallel: number;
  readonly wait?: boolean;
}

/** `kw add`: registers several files and URLs at a time, and waits for their outcomes if requested. */
export async function add(args: readonly string[], flags: AddFlags): Promise<void> {
  const sources = findSources(args, flags, (text) => void process.stderr.write(`${text}\n`));
  await withService(flags, (context) => addSources(context, sources, flags));
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
  const finished = new Set<number>();

  const addOne = async (source: Source, index: number): Promise<void> => {
    const key = String(index);
    try {
      const resource = await limit(() => {
        signal.throwIfAborted();
        return registrar.register(key, source);
      });
      registered[index] = resource;
      outcomes.unfinished(index, resource);
      const shown = waiter === null ? resource : await settle(waiter, key, resource);
      board.remove(key);
      if (isSettled(shown)) finished.add(index);
      outcomes.done(index, shown);
    } catch (error) {
      outcomes.failed(index, nameFor(source), error);
      if (registered[index] !== undefined) finished.add(index);
    } finally {
      board.remove(key);
    }
  };

  try {
    await Promise.all(sources.map(addOne));
  } catch (error) {
    lines.end();
    limit.clearQueue();
    if (signal.aborted) reportInterruption(context, sources, { registered, finished, registrar });
    outcomes.abandoned(sources.map(nameFor), (index) =>
      registrar.mayBeRegistered(String(index)) ? mayBeRegistered : 'It was not registered.',
    );
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

/** The name of a source for messages. */
const nameFor = (source: Source): string => (source.kind === 'file' ? source.path : source.name);

const mayBeRegistered = 'It was sent, but no response arrived: it may be registered.';
const mostNames = 10;

/** Prints how many resources are finished, still running and not registered, and names the latter two. */
function reportInterruption(
  { lines }: CommandContext,
  sources: readonly Source[],
  state: {
    readonly registered: readonly (Resource | undefined)[];
    readonly finished: ReadonlySet<number>;
    readonly registrar: ReturnType<typeof createRegistrar>;
  },
): void {
  const { registered, finished, registrar } = state;
  const running: string[] = [];
  const unknown: string[] = [];
  const missing: string[] = [];
  for (const [index, source] of sources.entries()) {
    const resource = registered[index];
    if (finished.has(index)) continue;
    if (resource !== undefined) running.push(`${resource.id}  ${plain(resource.name)}`);
    else if (registrar.mayBeRegistered(String(index))) unknown.push(plain(nameFor(source)));
    else missing.push(plain(nameFor(source)));
  }
  const counts = [
    `${finished.size} finished`,
    `${running.length} still running`,
    `${missing.length} not registered`,
    ...(unknown.length > 0 ? [`${unknown.length} sent without a response`] : []),
  ];
  lines.print(`Interrupted: ${counts.join(', ')}.`);
  const list = (title: string, names: readonly string[]): void => {
    if (names.length === 0) return;
    lines.print(`${title}:`);
    for (const name of names.slice(0, mostNames)) lines.print(`  ${name}`);
    if (names.length > mostNames) lines.print(`  and ${names.length - mostNames} more`);
  };
  list('Still running', running);
  list('Sent without a response ("kw ls -q NAME" finds what arrived)', unknown);
  list('Not registered', missing);
}
