import { readIndexedRuns } from '../../../storage/search/indexed.js';
import { readCurrentIndex } from '../../../storage/search/indexes.js';
import type { ApiDeps } from '../../deps.js';
import { fetchInput, fetchOutput } from '../../schemas/mcp.js';
import { readShownText } from '../texts/shown-texts.js';
import { formatTextId, readTextId, type TextId } from '../texts/text-id.js';
import { defineTool } from '../tool.js';
import { resourceUrl } from '../../reply/page-url.js';

/** Code points of one answer: about as many as clients pass to their model. */
const mostCharacters = 40_000;
/** The number of these that precede a search hit. */
const charactersBefore = 8_000;

export const fetchText = defineTool({
  name: 'fetch',
  title: 'Read a text',
  description: `Reads the text of a resource, by the id of a search result or of a resource. For texts longer than ${mostCharacters} characters, it returns a part: the part around a search result, or the beginning of a resource. The part ends with the next_id to fetch for the rest.`,
  scope: 'read',
  input: fetchInput,
  output: fetchOutput,
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  async run({ id }, { deps }) {
    const named = readTextId(id);
    let start = 0;
    let run = 0;
    const { text, hasMore, whole } = await readShownText(deps, named.resourceId, (_whole, artifact) => {
      start = beginning(named, artifact.size_bytes);
      ({ run } = artifact);
      return { start, end: start + mostCharacters };
    });
    const { resource } = whole;
    const isNewer = named.end !== null && run > (await indexedRun(deps, resource.id));
    const next_id = formatTextId({ resourceId: resource.id, start: start + mostCharacters, end: null });
    return {
      id,
      title: resource.name,
      text: `${isNewer ? `${noteOfChange}\n\n` : ''}${text}${hasMore ? `\n\n${noteOfMore(start, next_id)}` : ''}`,
      url: resourceUrl(deps.config, resource.id),
      metadata: { ...resource.metadata },
      ...(hasMore && { next_id }),
    };
  },
});

/**
 * Returns where to start. A text that fits is returned whole, regardless of the hit. A code point takes at least one
 * byte.
 */
function beginning({ start, end }: TextId, textBytes: number): number {
  if (end === null) return start;
  return textBytes <= mostCharacters ? 0 : Math.max(0, start - charactersBefore);
}

/** Returns the run whose text search shows; infinite if it shows none. */
async function indexedRun({ db }: Pick<ApiDeps, 'db'>, resourceId: string): Promise<number> {
  const index = await readCurrentIndex(db);
  const runs = index === null ? null : await readIndexedRuns(db, index.id, [resourceId]);
  return runs?.get(resourceId)?.run ?? Infinity;
}

const noteOfChange =
  '[This text is from a later run than the one that search uses. The passage that search found may have changed, moved or disappeared.]';

const noteOfMore = (start: number, nextId: string): string =>
  `[This is part of a longer text: characters ${start} to ${start + mostCharacters}. To read on, fetch the id ${nextId}]`;
