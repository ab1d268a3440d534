import { ProtocolErrorCode } from '#bundled/mcp-server';
import { findingsOf } from '../../runtime/content/json-schema.js';
import type { Reply } from '../route.js';
import type { McpMessage } from '../schemas/mcp.js';

const text = { type: 'string' } as const;
const page = { type: 'object', properties: { cursor: text } } as const;

/** What each method requires of its params. For missing params, the SDK reports an internal error. */
const needed: Readonly<Record<string, object>> = {
  initialize: {
    type: 'object',
    required: ['protocolVersion', 'capabilities', 'clientInfo'],
    properties: {
      protocolVersion: text,
      capabilities: { type: 'object' },
      clientInfo: {
        type: 'object',
        required: ['name', 'version'],
        properties: { name: text, version: text },
      },
    },
  },
  'tools/list': page,
  'tools/call': {
    type: 'object',
    required: ['name'],
    properties: { name: text, arguments: { type: 'object' } },
  },
  'resources/list': page,
  'resources/templates/list': page,
  'resources/read': { type: 'object', required: ['uri'], properties: { uri: text } },
};

/** Returns the answer to a request whose params are missing or have a wrong type; null for any other message. */
export function refuseParams({ id, method, params = {} }: McpMessage): Reply | null {
  const isRequest = typeof id === 'string' || typeof id === 'number';
  if (!isRequest || typeof method !== 'string' || !Object.hasOwn(needed, method)) return null;
  const findings = findingsOf(needed[method] ?? {}, params);
  if (findings.length === 0) return null;
  const problems = findings.map(({ path, message }) => `/params${path} ${message}`).join('; ');
  const error = { code: ProtocolErrorCode.InvalidParams, message: `Invalid params: ${problems}.` };
  return { status: 200, body: { jsonrpc: '2.0', id, error } };
}
