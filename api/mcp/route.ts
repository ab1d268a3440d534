import { requireKnownOrigin, requireOwnHost } from '../auth/own-host.js';
import { defineRoute, type Route } from '../route.js';
import { mcpMessageSchema } from '../schemas/mcp.js';
import { answerMcp } from './endpoint.js';
import { jsonRpcError } from './errors.js';

/**
 * The Model Context Protocol over streamable HTTP. Every POST is independent, so that any replica answers it; GET and
 * DELETE, which belong to sessions, are answered with 405.
 */
const mcp = defineRoute({
  method: 'POST',
  path: '/mcp',
  atRoot: true,
  operationId: 'exchangeMcpMessage',
  summary: 'Exchange a message of the Model Context Protocol',
  tag: 'MCP',
  scope: 'read',
  body: mcpMessageSchema,
  bodyLimit: 4 * 1024 * 1024,
  errorBody: jsonRpcError,
  responses: { 200: { description: 'The answer to the message.' } },
  admit({ koa, deps }) {
    requireOwnHost(koa, deps.config);
    requireKnownOrigin(koa, deps.config);
    return Promise.resolve();
  },
  handler: answerMcp,
});

/** Not in the OpenAPI document: the protocol describes itself and has its own clients. */
export const mcpRoutes: readonly Route[] = [mcp];
