import { onService } from '../command.js';
import type { JsonFlags } from '../service/find-service.js';
import { plain } from '../terminal/text.js';
import { failingRebuild } from './rebuild-hints.js';

/** `kw search status`. */
export const status = onService(async ({ client, output, paint }, flags: JsonFlags) => {
  const { value: data } = await client.GET('/search/status');
  if (flags.json === true) {
    output.json(data);
    return;
  }
  const { uri, problem, resources, chunks, failed, failures, pending, rebuild } = data;
  const { oldest_pending_at: oldest, upkeep_failing_since: since } = data;
  output.line(`index      ${uri}`);
  output.line(`state      ${problem === null ? paint('green', 'available') : paint('red', problem)}`);
  output.line(`holds      ${chunks} chunks of ${resources} resources`);
  if (failed > 0) output.line(`failed     ${failed}${failed > failures.length ? ', the newest:' : ''}`);
  for (const { resource_id, name, error } of failures)
    output.line(plain(`           ${resource_id} ${name}: ${error}`));
  output.line(`pending    ${pending}${oldest === null ? '' : `, the oldest since ${oldest}`}`);
  if (since !== null) {
    const what =
      rebuild === null
        ? `upkeep of the index has been failing since ${since}: searches become slower; if it persists, run "kw search rebuild"`
        : failingRebuild(since);
    output.line(`problem    ${paint('yellow', what)}`);
  }
  if (rebuild !== null) output.line(`rebuilding ${rebuild.resources} of ${rebuild.total} resources`);
});
