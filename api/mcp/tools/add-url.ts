import { checkMetadataSize } from '../../../core/resources/metadata.js';
import { registerUrl } from '../../registration/register-resource.js';
import { addUrlInput, getOutput } from '../../schemas/mcp.js';
import { saveShown } from '../save-resource.js';
import { defineTool } from '../tool.js';

export const addUrl = defineTool({
  name: 'add_url',
  title: 'Add a web page or a file by its URL',
  description:
    'Adds the web page, PDF or office file at a URL to the warehouse. It is fetched and processed in the background: the result has its id and status, and get_resource shows when it is COMPLETED. Call this when the user asks to keep something, not to read a page once.',
  scope: 'write',
  input: addUrlInput,
  output: getOutput,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  async run({ url, name = shortName(url.trim()), type = 'webpage', metadata = {} }, call) {
    checkMetadataSize(metadata, '/metadata');
    const given = { url, path: '/url' };
    return await saveShown(call, (save) => registerUrl(call.deps, { name, type, metadata }, given, save));
  },
});

/** A name has at most 500 code points. */
const shortName = (url: string): string => Array.from(url).slice(0, 500).join('');
