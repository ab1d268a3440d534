import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connectKwMcp, mcpVersions } from '../support/service/mcp.js';
import { eventually } from '../support/eventually.js';
import { createKw } from '../support/service/kw.js';
import { startKwCore, type KwCore } from '../support/service/kw-core.js';
import { reservePort } from '../support/servers/ports.js';

describe('kw mcp', () => {
  let service: KwCore;

  before(async () => {
    service = await startKwCore();
  });
  after(() => service.core.stop());

  const request = (id: number, method: string, params: object = {}): string =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
  const initialize = request(1, 'initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'tests', version: '1' },
  });
  const messagesIn = (stdout: string): any[] =>
    stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));

  for (const version of mcpVersions) {
    it(`passes on the tools and resources of the service in the revision ${version}`, async () => {
      const { client, errors } = await connectKwMcp(service.kw.env, version);
      assert.equal(client.getNegotiatedProtocolVersion(), version);
      const text = 'Größe: 3 × 4 m²\n日本語 🥊';
      const added = await client.callTool({
        name: 'add_text',
        arguments: { text, name: 'Maße', type: 'note' },
      });
      const { id } = added.structuredContent as { id: string };
      const uri = `kw://resources/${id}`;
      const contents = await eventually(async () => (await client.readResource({ uri })).contents);
      assert.deepEqual(contents, [{ uri, mimeType: 'text/plain', text }]);
      const fetched = await client.callTool({ name: 'fetch', arguments: { id } });
      assert.equal((fetched.structuredContent as { title: string }).title, 'Maße');
      await assert.rejects(client.readResource({ uri: 'kw://resources/größe' }), /not found/i);
      await client.close();
      assert.equal(errors(), '');
    });
  }

  it('forwards changes while a client is listening', async () => {
    const { client } = await connectKwMcp(service.kw.env, '2026-07-28');
    const told = new Array<string>();
    client.setNotificationHandler('notifications/resources/list_changed', () => void told.push('list'));
    const subscription = await client.listen({ resourcesListChanged: true });
    const { id } = await service.core.upload('note', 'news');
    await service.core.settled(id);
    await eventually(() => told.length > 0);
    await subscription.close();
    assert.equal(await subscription.closed, 'local');
    await client.close();
  });

  it('writes only messages, answers all requests, and ends with its input', async () => {
    const { code, stdout, stderr } = await service.kw.fed(
      `${initialize}not json\n${request(2, 'tools/list')}${request(3, 'nothing/there\u2028or here')}`,
      'mcp',
    );
    assert.deepEqual([code, stderr], [0, '']);
    const messages = messagesIn(stdout);
    assert.deepEqual(messages.map(({ id }) => id).sort(), [1, 2, 3, null]);
    const answerTo = (id: number | null): any => messages.find((message) => message.id === id);
    assert.equal(answerTo(1).result.serverInfo.name, 'knowledge-warehouse');
    assert.ok(answerTo(2).result.tools.length > 3);
    assert.deepEqual([answerTo(3).error.code, answerTo(null).error.code], [-32_601, -32_700]);
  });

  it('reports an error when the service refuses or is down', async () => {
    const { core } = service;
    const twice = `${initialize}${request(2, 'tools/list')}`;
    const refused = await createKw({ KW_URL: core.base, KW_API_KEY: 'kw_wrong' }).fed(twice, 'mcp');
    const [answer] = messagesIn(refused.stdout);
    assert.deepEqual([answer.id, answer.error.data.code], [1, 'UNAUTHENTICATED']);
    assert.equal(refused.stderr, `${answer.error.message}\n`);
    const away = createKw({ KW_URL: `http://127.0.0.1:${await reservePort()}`, KW_API_KEY: 'kw_any' });
    const { stdout, stderr } = await away.fed(initialize, 'mcp');
    const [failure] = messagesIn(stdout);
    assert.equal(stderr, `${failure.error.message}\n`);
    assert.equal(failure.id, 1);
    assert.match(failure.error.message, /does not answer \(.*ECONNREFUSED/);
    const messages = ['first\nsecond \x1b[31m', undefined];
    const other = createServer((_request, response) => {
      const error = { code: -32_000, message: messages.shift() };
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', error }));
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const foreign = await createKw({ KW_URL: url, KW_API_KEY: 'kw_any' }).fed(twice, 'mcp');
    other.close();
    const withoutMessage = 'The service reported an error without a message.';
    assert.deepEqual(foreign.stderr.split('\n').sort(), ['', withoutMessage, 'first second  [31m']);
    const unknown = await createKw({})('mcp');
    assert.equal(unknown.code, 2);
    assert.equal(unknown.stdout, '');
    assert.match(unknown.stderr, /^The URL of the service is not known/);
  });
});
