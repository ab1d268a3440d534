import type { Config } from '../../runtime/settings/config.js';
import type { ChunkPlace } from './types.js';

/** Returns the URL of a resource's page at the place of a chunk. It does not contain the search text. */
export function hitUrl(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  resourceId: string,
  run: number,
  chunk: Pick<ChunkPlace, 'index' | 'start' | 'end' | 'page_start'>,
): string {
  const place = {
    run,
    chunk: chunk.index,
    ...(chunk.start !== null && chunk.end !== null && { start: chunk.start, end: chunk.end }),
    ...(chunk.page_start !== null && { page: chunk.page_start }),
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(place)) query.set(name, String(value));
  return `${publicUrl.replace(/\/+$/, '')}/resources/${resourceId}?${query.toString()}`;
}
