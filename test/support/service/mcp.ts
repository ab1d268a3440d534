import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { resolve } from 'node:path';

/** The supported revisions of the protocol: the current and the previous one. */
export const mcpVersions = ['2026-07-28', '2025-11-25'] as const;
export type McpVersion = (typeof mcpVersions)[number];

/** Creates the official client for only one revision. */
function createClient(version: McpVersion): Client {
  const mode = version === '2025-11-25' ? 'legacy' : { pin: version };
  return new Client({ name: 'tests', version: '1.0.0' }, { versionNegotiation: { mode } });
}

/** Connects over HTTP. With several bases, sends each message to the next one. */
export async function connectMcp(
  base: string | readonly string[],
  bearer: string,
  version: McpVersion,
): Promise<Client> {
  const client = createClient(version);
  const urls = [base].flat().map((each) => new URL(`${each}/mcp`));
  let sent = 0;
  const transport = new StreamableHTTPClientTransport(urls[0]!, {
    requestInit: { headers: { authorization: `Bearer ${bearer}` } },
    fetch: (_url, init) => fetch(urls[sent++ % urls.length]!, init),
  });
  await client.connect(transport);
  return client;
}

/** Connects to `kw mcp`. */
export async function connectKwMcp(
  env: Readonly<Record<string, string>>,
  version: McpVersion,
): Promise<{ readonly client: Client; readonly errors: () => string }> {
  const client = createClient(version);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [resolve('dist/bin/kw.js'), 'mcp'],
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stderr: 'pipe',
  });
  let said = '';
  transport.stderr?.on('data', (text: Buffer) => (said += text.toString()));
  await client.connect(transport);
  return { client, errors: () => said };
}
