import { filterOfBody } from '../../request/resource-filter.js';
import { searchInput, searchOutput } from '../../schemas/mcp.js';
import { search as findChunks } from '../../search/search.js';
import { formatTextId } from '../texts/text-id.js';
import { defineTool } from '../tool.js';

export const search = defineTool({
  name: 'search',
  title: 'Search the texts',
  description:
    'Finds passages in the texts of all documents and web pages in the warehouse. Call it first for any question that these may answer. Each result has the passage, its page and headings, a url to cite, and an id: pass the id to fetch to read the surrounding text.',
  scope: 'read',
  input: searchInput,
  output: searchOutput,
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  async run({ query, limit, type, metadata }, { deps }) {
    const filter = filterOfBody({ ...(type !== undefined && { type }), ...(metadata && { metadata }) }, '');
    // Falls back to full-text search if there is no model or there are no vectors.
    const request = { q: query, mode: 'hybrid', filter, ...(limit && { limit }) } as const;
    const { items } = await findChunks(deps, request);
    return {
      results: items.map(({ resource, chunk, text, score, url }) => ({
        id: formatTextId({ resourceId: resource.id, start: chunk.start ?? 0, end: chunk.end }),
        title: resource.name,
        url,
        text,
        resource_id: resource.id,
        type: resource.type,
        page_start: chunk.page_start,
        page_end: chunk.page_end,
        headings: [...chunk.headings],
        score,
        metadata: { ...resource.metadata },
      })),
    };
  },
});
