import { CommandError } from '../exit.js';
import type { Client } from '../service/client.js';
import { listAll, type Pipeline } from '@knowledge-warehouse/client';

/** Finds pipelines by trigger type or id. Throws CommandError if one does not exist. */
export async function findPipelines(client: Client, named: readonly string[]): Promise<readonly Pipeline[]> {
  const all = await listAll((query) => client.GET('/pipelines', { params: { query } }));
  return named.map((one) => {
    const found = all.find(({ trigger_type, id }) => trigger_type === one || id === one);
    if (found !== undefined) return found;
    const there = all.map(({ trigger_type }) => trigger_type).sort();
    throw new CommandError(
      `There is no pipeline for ${one}. ${there.length === 0 ? 'There are none.' : `Existing types: ${there.join(', ')}.`}`,
    );
  });
}
