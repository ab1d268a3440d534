import { getInput, getOutput } from '../../schemas/mcp.js';
import { findShown } from '../texts/shown-texts.js';
import { readTextId } from '../texts/text-id.js';
import { defineTool } from '../tool.js';
import { viewWhole } from '../views.js';

export const getResource = defineTool({
  name: 'get_resource',
  title: 'Look at a resource',
  description:
    'Shows the progress of a resource: its status, its steps, what it waits for, and why it failed. Use it to follow what add_url or add_text added, and to explain why something is not found. To read the text, use fetch.',
  scope: 'read',
  input: getInput,
  output: getOutput,
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  async run({ id }, { deps }) {
    const { resourceId } = readTextId(id);
    const { resource, steps, artifacts } = await findShown(deps, resourceId);
    return viewWhole(deps.config, resource, await deps.liveSteps(resource, steps), artifacts);
  },
});
