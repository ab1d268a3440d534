import { withService } from '../command.js';
import type { ServiceFlags } from '../service/find-service.js';

export interface StatusFlags extends ServiceFlags {
  readonly json?: boolean;
}

/** `kw search status`. */
export async function status(flags: StatusFlags): Promise<void> {
  await withService(flags, async ({ client, output, paint }) => {
    const { value: data } = await client.GET('/search/status');
    if (flags.json === true) {
      output.json(data);
      return;
    }
    const {
      uri,
      problem,
      resources,
      chunks,
      failed,
      pending,
      oldest_pending_at: oldest,
      rebuild,
      upkeep_failing_since: since,
    } = data;
    output.line(`index      ${uri}`);
    output.line(`state      ${problem === null ? paint('green', 'available') : paint('red', problem)}`);
    output.line(`holds      ${chunks} chunks of ${resources} resources`);
    if (failed > 0)
      output.line(`failed     ${failed} resources cannot be indexed; the log of the worker says why`);
    output.line(`pending    ${pending}${oldest === null ? '' : `, the oldest since ${oldest}`}`);
    if (since !== null)
      output.line(
        `upkeep     ${paint('yellow', `failing since ${since}: searches become slower; if it persists, run "kw search rebuild"`)}`,
      );
    if (rebuild !== null) output.line(`rebuilding ${rebuild.resources} of ${rebuild.total} resources`);
  });
}
