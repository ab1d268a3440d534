import { McpServer } from '#bundled/mcp-server';
import { version } from '../openapi/version.js';
import type { McpCall } from './call.js';
import { instructions } from './instructions.js';
import { registerResources } from './resources.js';
import { registerTools } from './tool.js';
import { tools } from './tools/index.js';

/**
 * Creates a server for one message, with the tools that the caller's key may use.
 *
 * @param era `modern`: 2026-07-28, where a message opens a stream of changes. Earlier revisions need a session for
 * changes, which we do not keep.
 */
export function createServer(call: McpCall, era: 'modern' | 'legacy'): McpServer {
  const tellsChanges = era === 'modern';
  const server = new McpServer(
    {
      name: 'knowledge-warehouse',
      title: 'Knowledge Warehouse',
      version,
      websiteUrl: call.deps.config.publicUrl,
    },
    {
      instructions,
      capabilities: {
        tools: { listChanged: false },
        resources: { listChanged: tellsChanges, subscribe: tellsChanges },
      },
    },
  );
  registerTools(server, call, tools);
  registerResources(server, call);
  return server;
}
