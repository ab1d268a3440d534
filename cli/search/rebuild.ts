import { setTimeout as pause } from 'node:timers/promises';

import { longPatience, onService } from '../command.js';
import { CommandError } from '../exit.js';
import type { JsonFlags } from '../service/find-service.js';
import { createRebuildHints } from './rebuild-hints.js';

interface RebuildFlags extends JsonFlags {
  readonly wait: boolean;
}

const lookEveryMs = 500;
const abandoned =
  'The worker abandoned the new index: its KW_SEARCH_URI or version differs from that of the API. Make them equal, then rebuild again. Until then, searches use the old index.';

/** `kw search rebuild`: requests a new index and waits until searches use it. */
export const rebuild = onService(async ({ client, output, lines, signal }, flags: RebuildFlags) => {
  const before = flags.wait ? (await client.GET('/search/status')).value.created_at : undefined;
  const { value: data } = await client.POST('/search/rebuild');
  if (!flags.wait) {
    output.result(data, flags, () => ['A worker is building a new index; see "kw search status".']);
    return;
  }
  const leave = (error: unknown): never => {
    lines.print('The rebuild continues. Follow it: kw search status');
    throw error;
  };
  const hintsFor = createRebuildHints();
  for (;;) {
    const { value: status } = await client.GET('/search/status', { patience: longPatience }).catch(leave);
    if (status.rebuild === null) {
      if (status.problem !== null) throw new CommandError(status.problem);
      // An older API does not say when the index was created.
      if (before !== undefined && status.created_at === before) throw new CommandError(abandoned);
      const { chunks, resources } = status;
      output.result(status, flags, () => [`Rebuilt: ${chunks} chunks of ${resources} resources.`]);
      return;
    }
    for (const hint of hintsFor(status)) lines.print(hint);
    const { resources, total } = status.rebuild;
    if (lines.live) lines.show(() => [`${resources} of ${total} resources`]);
    await pause(lookEveryMs, undefined, { signal }).catch(leave);
  }
});
