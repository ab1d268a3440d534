import type { Chunk } from '../../core/documents/chunks.js';
import type { Config } from '../../runtime/settings/config.js';

type Public = Pick<Config, 'publicUrl'>;

/** Returns the URL of the page that shows a resource. */
export function resourceUrl({ publicUrl }: Public, id: string): string {
  return `${publicUrl}/resources/${id}`;
}

/** Returns the URL of a resource's page at the place of a chunk. It does not contain the search text. */
export function hitUrl(
  config: Public,
  resourceId: string,
  run: number,
  chunk: Pick<Chunk, 'index' | 'start' | 'end' | 'page_start'>,
): string {
  const place = {
    run,
    chunk: chunk.index,
    ...(chunk.start !== null && chunk.end !== null && { start: chunk.start, end: chunk.end }),
    ...(chunk.page_start !== null && { page: chunk.page_start }),
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(place)) query.set(name, String(value));
  return `${resourceUrl(config, resourceId)}?${query.toString()}`;
}
