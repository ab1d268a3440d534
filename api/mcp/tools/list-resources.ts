import { listResources as findResources } from '../../../storage/resources/resource-lists.js';
import { loadPage } from '../../lookups/pages.js';
import { resourceCursors } from '../../lookups/resource-cursors.js';
import { filterOfBody } from '../../request/resource-filter.js';
import { listInput, listOutput } from '../../schemas/mcp.js';
import { defineTool } from '../tool.js';
import { viewListed } from '../views.js';

const usualLimit = 20;
const sort = '-created_at';

export const listResources = defineTool({
  name: 'list_resources',
  title: 'List resources',
  description:
    'Lists documents and web pages of the warehouse, newest first, by name, type, status or metadata. Use it to browse, to see which types exist, and to follow what was added. To find something by its content, call search.',
  scope: 'read',
  input: listInput,
  output: listOutput,
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  async run({ query, limit = usualLimit, cursor, ...rest }, { deps }) {
    const filter = filterOfBody({ ...rest, ...(query && { q: query }), is_enabled: true }, '');
    const cursors = resourceCursors(sort, filter);
    const after = cursors.read(cursor);
    const { items, next_cursor } = await loadPage(
      limit,
      (rows) => findResources(deps.db, filter, { limit: rows, sort, after }),
      (resource) => cursors.of(resource),
    );
    return { resources: items.map((resource) => viewListed(deps.config, resource)), next_cursor };
  },
});
