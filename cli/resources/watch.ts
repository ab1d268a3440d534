import pLimit from 'p-limit';

import { onService, type CommandContext } from '../command.js';
import {
  watchChanges,
  followResources,
  isTransient,
  listPages,
  type PageQuery,
  type Resource,
} from '@knowledge-warehouse/client';
import { findResourceId } from '../service/find-resource.js';
import type { JsonFlags } from '../service/find-service.js';
import { createBoard, type Board } from './board.js';
import { createOutcomes, resourceLine } from './outcomes.js';
import { troubleOf } from './describe.js';
import { plain } from '../terminal/text.js';
import { createWaiter } from './waiter.js';

const parallelLookups = 4;

/** `kw watch`: follows the named resources until they settle, or all that are being processed until Ctrl-C. */
export const watch = onService(async (context, named: readonly string[], flags: JsonFlags) => {
  const board = createBoard(context.lines);
  if (named.length === 0) await watchAll(context, board, flags);
  else await watchNamed(context, board, named, flags);
});

async function watchNamed(
  context: CommandContext,
  board: Board,
  named: readonly string[],
  { json = false }: JsonFlags,
): Promise<void> {
  const outcomes = createOutcomes(context, { json, needed: 'COMPLETED' });
  const waiter = createWaiter(context, board);
  const limit = pLimit(parallelLookups);
  const watchOne = async (name: string, index: number): Promise<void> => {
    try {
      const id = await limit(() => findResourceId(context.client, name));
      outcomes.done(index, await waiter.wait(id, name, { id }));
    } catch (error) {
      outcomes.failed(index, name, error);
    }
  };
  try {
    await Promise.all(named.map(watchOne));
  } catch (error) {
    context.lines.end();
    limit.clearQueue();
    outcomes.abandoned(named, () => 'The command ended before it was processed.');
    throw error;
  }
  context.lines.end();
  outcomes.finish();
}

/** Prints each resource that settles; with `json`, a line of JSON for each change and each deletion. */
async function watchAll(
  { client, lines, output, paint, signal }: CommandContext,
  board: Board,
  { json = false }: JsonFlags,
): Promise<void> {
  const print = (line: string): void => lines.aside(() => void output.write(`${line}\n`));
  const deleted = new Set<string>();
  const printDeleted = (id: string): void => {
    // More than one event may lead to a resource that is gone.
    if (!deleted.has(id)) print(JSON.stringify({ id, deleted: true }));
    deleted.add(id);
  };
  const begin = async (id: string): Promise<void> => {
    const resource = await follower.settled(id);
    board.remove(id);
    if (json && resource === null) printDeleted(id);
    if (resource === null || json) return;
    print(resourceLine(resource, paint));
    const trouble = troubleOf(resource);
    if (trouble !== null) lines.print(`${plain(resource.name)}: ${trouble}`);
  };
  const followed = new Set<string>();
  const follow = (id: string): void => {
    if (followed.has(id)) return;
    followed.add(id);
    void begin(id)
      .catch(() => undefined)
      .finally(() => followed.delete(id));
  };
  const followProcessing = async (): Promise<void> => {
    const load = (page: PageQuery): ReturnType<typeof client.GET<'/resources'>> =>
      client.GET('/resources', { params: { query: { status: ['PROCESSING'], ...page } } });
    for await (const { items } of listPages(load)) for (const { id } of items) follow(id);
  };
  const refused = new AbortController();
  const following = AbortSignal.any([signal, refused.signal]);
  const follower = followResources(client, watchChanges(client, following), {
    signal: following,
    onLook(resource: Resource) {
      if (json) print(JSON.stringify(resource));
      else board.resource(resource.id, resource.name, resource);
    },
    onUnknown: follow,
    onEverything() {
      followProcessing().catch((error: unknown) => {
        if (!isTransient(error)) refused.abort(error);
      });
    },
  });
  await follower.failed;
}
