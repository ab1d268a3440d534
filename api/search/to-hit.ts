import { mapInTurns } from '../../core/in-turns.js';
import type { IndexedChunk, IndexReader } from '../../runtime/search/engine.js';
import { highlightsOf } from '../../runtime/search/match.js';
import type { Query } from '../../runtime/search/query.js';
import type { Config } from '../../runtime/settings/config.js';
import type { Collected } from './collect.js';
import { hitUrl } from '../reply/page-url.js';
import { keyOf } from './rankers.js';
import type { ChunkPlace, Neighbour, SearchHit } from './types.js';

/** The maximum size of neighbours in an answer, in UTF-16 code units; the rest is left out. */
const mostContext = 4 * 1024 * 1024;

/** Converts collected chunks to hits, with `context` neighbours on each side. */
export async function toHits(
  collected: readonly Collected[],
  options: {
    readonly reader: IndexReader;
    readonly query: Query;
    readonly context: number;
    readonly config: Pick<Config, 'publicUrl'>;
  },
): Promise<readonly SearchHit[]> {
  const { query, context, config } = options;
  const neighbours = await readNeighbours(collected, options);
  return await mapInTurns(collected, ({ chunk, resource, score }) => {
    const { run, artifact_id, ...shown } = resource;
    const beside = (from: number, to: number): Neighbour[] => {
      const found: Neighbour[] = [];
      for (let index = from; index <= to; index++) {
        const one = neighbours.get(keyOf({ ...chunk, index }));
        if (one !== undefined) found.push({ chunk: placeOf(one), text: one.text });
      }
      return found;
    };
    return {
      resource: shown,
      run,
      artifact_id,
      chunk: placeOf(chunk),
      text: chunk.text,
      highlights: highlightsOf(chunk.text, query),
      before: beside(chunk.index - context, chunk.index - 1),
      after: beside(chunk.index + 1, chunk.index + context),
      score,
      url: hitUrl(config, resource.id, run, chunk),
    };
  });
}

function placeOf({ index, start, end, page_start, page_end, headings }: ChunkPlace): ChunkPlace {
  return { index, start, end, page_start, page_end, headings };
}

async function readNeighbours(
  collected: readonly Collected[],
  { reader, context }: { readonly reader: IndexReader; readonly context: number },
): Promise<ReadonlyMap<string, IndexedChunk>> {
  const found = new Map<string, IndexedChunk>();
  if (context === 0) return found;
  const spans = collected.map(({ chunk: { resource_id, run, index } }) => ({
    ...{ resource_id, run, first: Math.max(0, index - context), last: index + context },
  }));
  let length = 0;
  for (const chunk of await reader.readChunks(spans)) {
    length += chunk.text.length;
    if (length <= mostContext) found.set(keyOf(chunk), chunk);
  }
  return found;
}
