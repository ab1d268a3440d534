import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { definePlugin, PluginFailure } from '@knowledge-warehouse/plugin';
import type { Client } from '@modelcontextprotocol/client';
import { createApp } from '../../api/app.js';
import { explainToModel } from '../../api/mcp/errors.js';
import { createSearchLimiter } from '../../api/search/limiter.js';
import { closeServer, createHttpServer, listen } from '../../api/server/http-server.js';
import { ServiceError } from '../../core/errors.js';
import { createApiKey, revokeApiKey } from '../../storage/auth/api-keys.js';
import { connectMcp, mcpVersions, type McpVersion } from '../support/service/mcp.js';
import { eventually } from '../support/eventually.js';
import { isFull } from '../support/full.js';
import { exchange } from '../support/network/raw-http.js';
import { objectsBelow } from '../support/stores/stored-objects.js';
import { startWebService, type WebService } from '../support/browser/web-service.js';

/** A part of a text, in code points. */
const part = (text: string, start: number, end?: number): string =>
  Array.from(text).slice(start, end).join('');

const readTools = ['search', 'fetch', 'list_resources', 'get_resource'];

/** A plugin that makes chunks of what it is given, and no text. */
const chunkGiver = definePlugin({
  id: 'chunk-giver',
  name: 'Chunk giver',
  version: '1.0.0',
  configSchema: {},
  produces: ['chunks'],
  async run(ctx) {
    const content = JSON.parse((await ctx.source.buffer()).toString());
    await ctx.emit({ type: 'chunks', content_type: 'json', content });
  },
});

let told = '';
let isBroken = false;

/** Makes the text that a test wants. */
const teller = definePlugin({
  id: 'teller',
  name: 'Teller',
  version: '1.0.0',
  configSchema: {},
  produces: ['text'],
  run: (ctx) => ctx.emit({ type: 'text', content_type: 'text', content: told }),
});

/** Fails when a test wants. */
const breaker = definePlugin({
  id: 'breaker',
  name: 'Breaker',
  version: '1.0.0',
  configSchema: {},
  produces: ['note'],
  async run(ctx) {
    if (isBroken) throw new PluginFailure('BROKEN', 'It is broken.');
    await ctx.emit({ type: 'note', content_type: 'text', content: 'Done.' });
  },
});

describe('the Model Context Protocol', () => {
  let service: WebService;
  const keys: Record<string, string> = {};
  const open: Client[] = [];

  before(async () => {
    const env = { KW_CORS_ORIGINS: 'https://inspector.example' };
    service = await startWebService({ env, plugins: [chunkGiver, teller, breaker] });
    await service.core.pipeline('chunked', { plugin_id: 'chunk-giver' });
    await service.core.pipeline(
      'retold',
      ...['extract-text', 'chunk-text', 'teller'].map((plugin_id) => ({ plugin_id })),
    );
    await service.core.pipeline('told', { plugin_id: 'teller' }, { plugin_id: 'breaker', max_attempts: 1 });
    const { db } = service.core.deps;
    for (const scope of ['read', 'write', 'plugin:far'])
      ({ key: keys[scope] } = await createApiKey(db, { name: scope, scopes: [scope] }));
    await createApiKey(db, { name: 'few', scopes: ['read'], rate_limit: 2 }).then(
      ({ key }) => (keys['few'] = key),
    );
  });
  after(async () => {
    await Promise.all(open.map((client) => client.close()));
    await service.stop();
  });

  const connect = async (version: McpVersion, scope = 'write'): Promise<Client> => {
    const client = await connectMcp(service.core.base, keys[scope]!, version);
    open.push(client);
    return client;
  };
  /** Calls a tool that succeeds; what it answers is there twice. */
  const use = async (client: Client, name: string, args: Record<string, unknown>): Promise<any> => {
    const { structuredContent, content, isError } = await client.callTool({ name, arguments: args });
    const [text, ...more] = content as { type: string; text: string }[];
    assert.notEqual(isError, true, text?.text);
    assert.deepEqual(more, []);
    assert.deepEqual(JSON.parse(text!.text), structuredContent);
    return structuredContent;
  };
  const refusal = async (client: Client, name: string, args: Record<string, unknown>): Promise<string> => {
    const { content, isError } = await client.callTool({ name, arguments: args });
    assert.equal(isError, true, JSON.stringify(content));
    return (content as { text: string }[])[0]!.text;
  };
  const add = async (client: Client, text: string, rest: object = {}): Promise<any> => {
    const { id } = await use(client, 'add_text', { text, name: 'A text', ...rest });
    await service.core.settled(id);
    const found = await use(client, 'get_resource', { id });
    assert.equal(found.status, 'COMPLETED');
    return found;
  };
  const listedUris = async (client: Client): Promise<string[]> => {
    const uris: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.listResources(cursor === undefined ? undefined : { cursor });
      uris.push(...page.resources.map(({ uri }) => uri));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return uris;
  };
  const post = async (
    body: string | object,
    headers: Record<string, string> = { authorization: `Bearer ${keys['read']}` },
  ): Promise<{ status: number; body: any; headers: Headers }> => {
    const response = await fetch(`${service.core.base}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? null : JSON.parse(text),
    };
  };
  const listTools = { jsonrpc: '2.0', id: 7, method: 'tools/list', params: {} };

  for (const version of mcpVersions) {
    describe(`in the revision ${version}`, () => {
      let client: Client;
      before(async () => void (client = await connect(version)));
      /** What tools answer does not depend on the revision. */
      const inOne = version === '2026-07-28' ? it : (): void => undefined;

      it('describes itself, and offers each key the tools of its scopes', async () => {
        assert.equal(client.getNegotiatedProtocolVersion(), version);
        assert.match(client.getInstructions() ?? '', /call search/);
        const { tools } = await client.listTools();
        assert.deepEqual(
          tools.map(({ name }) => name),
          [...readTools, 'add_url', 'add_text'],
        );
        for (const { name, outputSchema, annotations, description, inputSchema } of tools) {
          assert.equal(outputSchema?.type, 'object', name);
          assert.equal(annotations?.readOnlyHint, readTools.includes(name), name);
          assert.ok((description ?? '').length > 100, name);
          assert.doesNotMatch(JSON.stringify([inputSchema, outputSchema]), /"x-/);
          for (const property of Object.values<any>(inputSchema.properties ?? {}))
            assert.ok(property.description, name);
        }
        const reader = await connect(version, 'read');
        assert.deepEqual(
          (await reader.listTools()).tools.map(({ name }) => name),
          readTools,
        );
        await assert.rejects(reader.callTool({ name: 'add_text', arguments: { text: 'x', name: 'x' } }));
      });

      inOne('finds a text by its words and metadata', async () => {
        const metadata = { team: `seekers-${version}`, year: 1907 };
        const { id, url } = await add(client, 'The aurora was seen from the lighthouse.', {
          name: 'Aurora',
          metadata,
        });
        const results = await eventually(async () => {
          const found = await use(client, 'search', {
            query: 'aurora lighthouse',
            type: 'document',
            limit: 5,
            metadata: { team: metadata.team, year: { gte: 1900 } },
          });
          return found.results.length > 0 && found.results;
        });
        assert.deepEqual(
          results.map((hit: any) => [hit.resource_id, hit.title, hit.type, hit.metadata]),
          [[id, 'Aurora', 'document', metadata]],
        );
        assert.match(results[0].text, /seen from the lighthouse/);
        assert.ok(results[0].url.startsWith(`${url}?`));
        const { text } = await use(client, 'fetch', { id: results[0].id });
        assert.equal(text, 'The aurora was seen from the lighthouse.');
        const none = await use(client, 'search', { query: 'aurora lighthouse', type: ['webpage'] });
        assert.deepEqual(none.results, []);
      });

      it('adds a text, reports its progress, reads it and lists it', async () => {
        const metadata = { team: `team-${version}`, tags: ['a', 'b'] };
        const added = await add(client, 'Glass negatives are kept at eight degrees.', {
          name: 'Storage',
          metadata,
        });
        assert.deepEqual([added.type, added.title, added.waits_for], ['document', 'Storage', null]);
        const { id, url } = added;
        const { body: audit } = await service.core.call('GET', '/audit?limit=1');
        const [{ action, object, key }] = audit.items;
        assert.deepEqual([action, object, key.name], ['registerResource', { type: 'resource', id }, 'write']);
        assert.equal(url, `${service.core.base}/resources/${id}`);
        for (const named of [id, `${id}#6-15`, `kw://resources/${id}`]) {
          const text = await use(client, 'fetch', { id: named });
          assert.deepEqual(text, {
            id: named,
            title: 'Storage',
            text: 'Glass negatives are kept at eight degrees.',
            url,
            metadata,
          });
        }
        const { resources } = await use(client, 'list_resources', { metadata: { team: metadata.team } });
        assert.deepEqual(
          resources.map((each: any) => [each.id, each.status]),
          [[id, 'COMPLETED']],
        );
        assert.ok((await listedUris(client)).includes(`kw://resources/${id}`));
        const { contents } = await client.readResource({ uri: `kw://resources/${id}` });
        assert.deepEqual(contents, [
          {
            uri: `kw://resources/${id}`,
            mimeType: 'text/plain',
            text: 'Glass negatives are kept at eight degrees.',
          },
        ]);
        const { resourceTemplates } = await client.listResourceTemplates();
        assert.ok(resourceTemplates.some(({ uriTemplate }) => uriTemplate === 'kw://resources/{id}'));
      });

      inOne('reads a resource that has only chunks', async () => {
        const chunks = Array.from({ length: 300 }, (_, at) => ({
          text: `Chunk ${at} of somebody else’s.`.padEnd(300, ' and more'),
        }));
        const { id } = await add(client, JSON.stringify({ chunks }), { type: 'chunked' });
        const whole = chunks.map(({ text }) => text).join('\n\n');
        const { text, next_id } = await use(client, 'fetch', { id });
        assert.ok(text.startsWith(whole.slice(0, 40_000)));
        const rest = await use(client, 'fetch', { id: next_id });
        assert.equal(rest.text.slice(0, 1_000), whole.slice(40_000, 41_000));
        assert.ok((await listedUris(client)).includes(`kw://resources/${id}`));
      });

      it('shows nothing of a resource from the commit that disables or deletes it', async () => {
        const { id } = await add(client, 'Vanishing ink was used here.', { name: `Ink ${version}` });
        const reader = await connect(version, 'read');
        await eventually(
          async () => (await use(reader, 'search', { query: 'vanishing ink' })).results.length > 0,
        );
        const { core } = service;
        for (const hide of [
          () => core.call('PATCH', `/resources/${id}`, { is_enabled: false }),
          () => core.call('DELETE', `/resources/${id}`),
        ]) {
          await hide();
          const { results } = await use(reader, 'search', { query: 'vanishing ink' });
          assert.deepEqual(
            results.filter((hit: any) => hit.resource_id === id),
            [],
          );
          const { resources } = await use(reader, 'list_resources', { query: `Ink ${version}` });
          assert.deepEqual(resources, []);
          for (const name of ['fetch', 'get_resource'])
            assert.equal(await refusal(reader, name, { id }), `NOT_FOUND: There is no resource ${id}.`);
          assert.ok(!(await listedUris(reader)).includes(`kw://resources/${id}`));
          await assert.rejects(reader.readResource({ uri: `kw://resources/${id}` }), /not found/i);
          await core.call('PATCH', `/resources/${id}`, { is_enabled: true });
        }
      });

      inOne('says that a text is newer than the one that search found', async () => {
        [told, isBroken] = [`The ${version} caravel carried pepper.`, false];
        const { id } = await add(client, 'x', { type: 'told' });
        const hit = await eventually(async () => {
          const { results } = await use(client, 'search', { query: `${version} caravel` });
          return results.find((result: any) => result.resource_id === id);
        });
        assert.equal((await use(client, 'fetch', { id: hit.id })).text, told);
        [told, isBroken] = ['The galleon carried silver.', true];
        await service.core.call('POST', `/resources/${id}/reprocess`);
        assert.equal((await service.core.settled(id)).status, 'FAILED');
        assert.equal((await use(client, 'fetch', { id })).text, told);
        const { text } = await use(client, 'fetch', { id: hit.id });
        assert.ok(text.startsWith('[This text is from a later run'), text);
        assert.ok(text.endsWith(`\n\n${told}`), text);
        isBroken = false;
        await service.core.call('POST', `/resources/${id}/reprocess`, { from_step: 'failed' });
        await eventually(async () => (await use(client, 'fetch', { id: hit.id })).text === told);
      });

      inOne('reads a long text in parts that fit together', async () => {
        const line = 'Zwölf Boxkämpfer 🥊 jagen Viktor quer über den Sylter Deich.\n';
        const text = line.repeat(1_700).trimEnd();
        const { id } = await add(client, text, { name: 'Long' });
        const parts: string[] = [];
        for (let next: string | undefined = id; next !== undefined;) {
          const part = await use(client, 'fetch', { id: next });
          const [body, note] = part.text.split('\n\n[This is part') as [string, string?];
          assert.equal(note !== undefined, part.next_id !== undefined);
          if (note !== undefined) assert.ok(note.includes(part.next_id), note);
          parts.push(body);
          next = part.next_id;
        }
        assert.equal(parts.length, 3);
        assert.equal(parts.join(''), text);
        const around = await use(client, 'fetch', { id: `${id}#50000-50100` });
        assert.equal(part(around.text, 0, 100), part(text, 42_000, 42_100));
        const uri = `kw://resources/${id}?offset=100000`;
        const rest = await use(client, 'fetch', { id: uri });
        assert.equal(rest.text, part(text, 100_000));
        assert.equal((await use(client, 'get_resource', { id: uri })).id, id);
        const { contents } = await client.readResource({ uri });
        assert.deepEqual(
          contents.map((content) => 'text' in content && content.text),
          [part(text, 100_000)],
        );
      });

      inOne('explains what a resource waits for, and why one failed', async () => {
        const { id } = await use(client, 'add_text', { text: 'x', name: 'x', type: 'unheard-of' });
        const found = await use(client, 'get_resource', { id });
        assert.equal(found.status, 'PENDING');
        assert.match(found.waits_for, /^No pipeline takes resources of the type unheard-of/);
        assert.match(
          await refusal(client, 'fetch', { id }),
          /^NOT_FOUND: The resource .* has no text\. It is PENDING/,
        );
        const refused = await refusal(client, 'add_url', { url: 'http://127.0.0.1/secret' });
        assert.match(refused, /^URL_NOT_ALLOWED: /);
        const relative = await refusal(client, 'add_url', { url: 'secret' });
        assert.equal(relative, 'VALIDATION_FAILED: /url: must be an absolute URL');
      });

      it('rejects invalid input with a reason', async () => {
        for (const [name, args, expected] of [
          ['search', {}, /\/query is missing/],
          ['search', { query: 'x', limit: 51 }, /\/limit must be <= 50/],
          ['search', { query: 'x', sort: 'name' }, /\/sort is unknown/],
          ['search', { query: 'x', type: 'a\u0000' }, /\/type must match pattern/],
          ['list_resources', { type: ['a', 'a\u0000'] }, /\/type\/1 must match pattern/],
          ['list_resources', { type: '\ud800' }, /\/type must not contain half of a surrogate pair/],
          ['list_resources', { query: 'a\u0000' }, /\/query must match pattern/],
          ['fetch', { id: 'a\u0000' }, /^NOT_FOUND: /],
          ['get_resource', { id: 'a\u0000' }, /^NOT_FOUND: /],
          ['get_resource', { id: '\ud800' }, /\/id must not contain half of a surrogate pair/],
          ['get_resource', { id: `${'x'.repeat(99)}😀` }, /^NOT_FOUND: There is no resource x{99}\.$/],
          ['add_text', { name: 'x', text: 'a\u0000b' }, /\/text must match pattern/],
          [
            'fetch',
            { id: '../../etc/passwd' },
            /^NOT_FOUND: There is no resource \.\.\/\.\.\/etc\/passwd\.$/,
          ],
          ['get_resource', { id: 'nope' }, /^NOT_FOUND: There is no resource nope\.$/],
          ['list_resources', { cursor: 'x' }, /^VALIDATION_FAILED: .*next_cursor/],
        ] as const)
          assert.match(await refusal(client, name, args), expected);
        await assert.rejects(client.callTool({ name: 'rm', arguments: {} }), /rm/);
        await assert.rejects(client.readResource({ uri: 'file:///etc/passwd' }));
      });
    });
  }

  it('reads the text that a hit is in, although a later step made another one', async () => {
    const client = await connect('2026-07-28');
    told = 'A summary.';
    const line = 'The catalogue lists another drawer.\n';
    const text = `${line.repeat(1_000)}The basilisk sleeps here.\n${line.repeat(1_500)}`.trimEnd();
    const { id } = await add(client, text, { type: 'retold' });
    const hit = await eventually(async () => {
      const { results } = await use(client, 'search', { query: 'basilisk' });
      return results[0];
    });
    const around = await use(client, 'fetch', { id: hit.id });
    const start = text.indexOf(around.text.slice(0, 40_000));
    assert.ok(start > 0 && around.text.includes('The basilisk sleeps here.'), around.text.slice(0, 100));
    const next = await use(client, 'fetch', { id: around.next_id });
    assert.equal(next.text, text.slice(start + 40_000));
    const { resources } = await client.listResources();
    assert.equal(resources.find(({ uri }) => uri === `kw://resources/${id}`)?.size, text.length);
  });

  it('shows nothing hidden while resources come and go, on any replica', async () => {
    const handle = createApp(service.core.deps).callback();
    const replica = createHttpServer((request, response) => void handle(request, response));
    await listen(replica, '127.0.0.1', 0);
    const bases = [service.core.base, `http://127.0.0.1:${(replica.address() as AddressInfo).port}`];
    const clients = await Promise.all(
      mcpVersions.map((version) => connectMcp(bases, keys['write']!, version)),
    );
    const [first] = clients;
    const ids = await Promise.all(
      Array.from(
        { length: 4 },
        async (_, at) => (await add(first!, `The flickering word, number ${at}.`)).id,
      ),
    );
    const find = async (client: Client): Promise<string[]> => {
      const { results } = await use(client, 'search', { query: 'flickering', limit: 50 });
      return results.map((hit: any) => hit.resource_id);
    };
    await eventually(async () => (await find(first!)).length === ids.length);
    /** Of a hidden resource the turn that hid it. */
    const hidden = new Map<string, number>();
    let isOver = false;
    const toggle = async (): Promise<void> => {
      for (let turn = 0; turn < (isFull ? 60 : 20); turn += 1) {
        const id = ids[(turn * 5) % ids.length]!;
        const isHidden = hidden.delete(id);
        await service.core.call('PATCH', `/resources/${id}`, { is_enabled: isHidden });
        if (!isHidden) hidden.set(id, turn);
      }
      isOver = true;
    };
    let shown = 0;
    const watch = async (client: Client): Promise<void> => {
      while (!isOver) {
        const before = new Map(hidden);
        const seen = [
          ...(await find(client)),
          ...(await listedUris(client)).map((uri) => uri.slice('kw://resources/'.length)),
          ...(await use(client, 'list_resources', { limit: 100 })).resources.map((each: any) => each.id),
        ];
        shown += seen.length;
        const wrong = seen.filter((id) => before.has(id) && hidden.get(id) === before.get(id));
        assert.deepEqual(wrong, []);
      }
    };
    await Promise.all([toggle(), ...clients.map(watch)]);
    assert.ok(shown > 0);
    await Promise.all(clients.map((client) => client.close()));
    await closeServer(replica, 0);
  });

  it('sends changes on a stream, in the revision that supports it', async () => {
    const client = await connect('2026-07-28');
    const { id } = await add(client, 'A text to be watched.');
    const uri = `kw://resources/${id}`;
    const uris = [uri, `${uri}?offset=5`];
    const told = new Array<string>();
    client.setNotificationHandler('notifications/resources/list_changed', () => void told.push('list'));
    client.setNotificationHandler(
      'notifications/resources/updated',
      ({ params }) => void told.push(params.uri),
    );
    const subscription = await client.listen({ resourcesListChanged: true, resourceSubscriptions: uris });
    assert.deepEqual(subscription.honoredFilter, {
      resourcesListChanged: true,
      resourceSubscriptions: uris,
    });
    assert.equal(told.length, 0);
    await service.core.call('PATCH', `/resources/${id}`, { is_enabled: false });
    await eventually(() => ['list', ...uris].every((one) => told.includes(one)));
    assert.deepEqual(new Set(told), new Set(['list', ...uris]));
    await subscription.close();
    assert.deepEqual((await connect('2025-11-25')).getServerCapabilities()?.resources, {
      listChanged: false,
      subscribe: false,
    });
  });

  it('notifies about every form of the URI of a text, and acknowledges no other URI', async () => {
    const client = await connect('2026-07-28');
    const { id } = await add(client, 'A text with several URIs.');
    const told = new Set<string>();
    client.setNotificationHandler(
      'notifications/resources/updated',
      ({ params }) => void told.add(params.uri),
    );
    const uris = ['', '?offset=0', '?offset=160000'].map((end) => `kw://resources/${id}${end}`);
    uris.push(`kw://resources/${id.toUpperCase()}`);
    const others = ['kw://resources/none', 'https://example.com/', `${uris[0]}?start=1`];
    const subscription = await client.listen({ resourceSubscriptions: [...others, ...uris] });
    assert.deepEqual(subscription.honoredFilter, { resourceSubscriptions: uris });
    await service.core.call('DELETE', `/resources/${id}`);
    await eventually(() => told.size === uris.length);
    assert.deepEqual(told, new Set(uris));
    await subscription.close();
  });

  it('sends nothing about a hidden resource until it is enabled again', async () => {
    const client = await connect('2026-07-28');
    const texts = ['hidden before', 'hidden meanwhile', 'deleted', 'shown'];
    const [before, meanwhile, deleted, shown] = await Promise.all(
      texts.map(async (text): Promise<string> => (await add(client, `This text is ${text}.`)).id),
    );
    const uriOf = (id: string | undefined): string => `kw://resources/${id}`;
    const change = (id: string | undefined, changes: object): Promise<unknown> =>
      service.core.call('PATCH', `/resources/${id}`, changes);
    const told: string[] = [];
    client.setNotificationHandler(
      'notifications/resources/updated',
      ({ params }) => void told.push(params.uri),
    );
    let turn = 0;
    /** Events arrive in order: what had to be told before this resource changed was told. */
    const toldUntilNow = async (): Promise<string[]> => {
      turn += 1;
      await change(shown, { name: `Shown ${turn}` });
      await eventually(() => told.includes(uriOf(shown)));
      return told.splice(0).filter((uri) => uri !== uriOf(shown));
    };
    await change(before, { is_enabled: false });
    // A stream begins with the events of the oldest open transaction, which may be another test's.
    await eventually(async () => {
      const { rows } = await service.core.deps.db.raw<{ rows: unknown[] }>(
        'select 1 from events where txid >= pg_snapshot_xmin(pg_current_snapshot()) limit 1',
      );
      return rows.length === 0;
    });
    const uris = [before, meanwhile, deleted, shown].map(uriOf);
    const subscription = await client.listen({ resourceSubscriptions: uris });

    await change(meanwhile, { is_enabled: false });
    await service.core.call('DELETE', `/resources/${deleted}`);
    const gone = await toldUntilNow();
    assert.deepEqual(new Set(gone), new Set([uriOf(meanwhile), uriOf(deleted)]));
    for (const id of [before, meanwhile]) {
      await change(id, { name: 'Secret' });
      await service.core.call('POST', `/resources/${id}/reprocess`);
      const { run, status } = await service.core.settled(id!);
      assert.deepEqual([run, status], [2, 'COMPLETED']);
    }
    assert.deepEqual(await toldUntilNow(), []);
    await Promise.all([before, meanwhile].map((id) => change(id, { is_enabled: true })));
    assert.deepEqual(new Set(await toldUntilNow()), new Set([before, meanwhile].map(uriOf)));
    await subscription.close();
  });

  it('says once when to try again', async () => {
    const limiter = createSearchLimiter(1, 0);
    void limiter.run(() => new Promise(() => undefined));
    const error: unknown = await limiter.run(() => Promise.resolve()).catch((thrown: unknown) => thrown);
    assert.ok(error instanceof ServiceError);
    const said = 'SEARCH_UNAVAILABLE: Too many searches at once. Try again in a moment.';
    assert.equal(explainToModel(error, 'a'), said);
    const other = new ServiceError('SEARCH_UNAVAILABLE', 'Nothing answers.');
    assert.equal(
      explainToModel(other, 'a'),
      'SEARCH_UNAVAILABLE: Nothing answers. Try again in a few seconds.',
    );
    // Trying again would not help before an operator has run the command.
    const missing = 'The search index is missing or damaged. Run "kw search rebuild" to build a new one.';
    assert.equal(
      explainToModel(new ServiceError('SEARCH_UNAVAILABLE', missing), 'a'),
      `SEARCH_UNAVAILABLE: ${missing}`,
    );
    const unread =
      'The search index cannot be read. If this persists, run "kw search rebuild" to build a new one.';
    assert.equal(
      explainToModel(new ServiceError('SEARCH_UNAVAILABLE', unread), 'a'),
      `SEARCH_UNAVAILABLE: ${unread} Try again in a few seconds.`,
    );
  });

  it('ends the streams of a key that is revoked', async () => {
    const { db } = service.core.deps;
    const { key, id } = await createApiKey(db, { name: 'short', scopes: ['read'] });
    const client = await connectMcp(service.core.base, key, '2026-07-28');
    const subscription = await client.listen({ resourcesListChanged: true });
    await revokeApiKey(db, id);
    assert.equal(await subscription.closed, 'graceful');
    await client.close();
  });

  it('takes API keys with a scope, as bearer tokens', async () => {
    for (const headers of [{}, { authorization: 'Bearer kw_none' }]) {
      const { status, body, headers: sent } = await post(listTools, headers as Record<string, string>);
      assert.equal(status, 401);
      assert.equal(sent.get('www-authenticate'), 'Bearer');
      assert.deepEqual([body.jsonrpc, body.id, body.error.data.code], ['2.0', null, 'UNAUTHENTICATED']);
    }
    const other = await post(listTools, { authorization: `Bearer ${keys['plugin:far']}` });
    assert.deepEqual([other.status, other.body.error.data.code], [403, 'FORBIDDEN']);
    const few = { authorization: `Bearer ${keys['few']}` };
    await post(listTools, few);
    await post(listTools, few);
    const late = await post(listTools, few);
    assert.deepEqual([late.status, late.body.error.data.code], [429, 'RATE_LIMITED']);
    assert.ok(Number(late.headers.get('retry-after')) > 0);
  });

  it('rejects pages of other origins and host names that merely resolve here', async () => {
    const authorization = `Bearer ${keys['read']}`;
    for (const [origin, status] of [
      ['https://evil.example', 403],
      ['null', 403],
      ['https://inspector.example', 200],
      [service.core.base, 200],
    ] as const)
      assert.equal((await post(listTools, { authorization, origin })).status, status, origin);
    const body = JSON.stringify(listTools);
    const ask = async (host: string): Promise<number> => {
      const [answer] = await exchange(
        service.core.base,
        [
          'POST /mcp HTTP/1.1',
          `Host: ${host}`,
          `Authorization: ${authorization}`,
          'Content-Type: application/json',
          'Accept: application/json, text/event-stream',
          `Content-Length: ${body.length}`,
          'Connection: close',
          '',
          body,
        ].join('\r\n'),
      );
      return answer!.status;
    };
    for (const [host, status] of [
      ['evil.example', 403],
      ['localhost.evil.example:80', 403],
      ['localhost:9', 200],
      ['[::1]', 200],
      ['192.0.2.7:8080', 200],
    ] as const)
      assert.equal(await ask(host), status, host);
  });

  it('answers invalid messages as the protocol requires', async () => {
    for (const [body, status, code] of [
      ['{', 400, -32_700],
      [[listTools], 400, -32_600],
      ['"text"', 400, -32_600],
      [JSON.stringify({ ...listTools, padding: 'x'.repeat(4 * 1024 * 1024) }), 413, -32_000],
    ] as const) {
      const answer = await post(body);
      assert.deepEqual([answer.status, answer.body.error.code], [status, code]);
      assert.equal(answer.body.jsonrpc, '2.0');
    }
    for (const [method, params, problem] of [
      ['resources/read', {}, '/params/uri is missing'],
      ['resources/read', undefined, '/params/uri is missing'],
      ['resources/read', { uri: 5 }, '/params/uri must be string'],
      ['resources/list', { cursor: 5 }, '/params/cursor must be string'],
      ['resources/templates/list', { cursor: 5 }, '/params/cursor must be string'],
      ['tools/list', { cursor: 5 }, '/params/cursor must be string'],
      ['tools/call', {}, '/params/name is missing'],
      ['tools/call', { name: 'search', arguments: 5 }, '/params/arguments must be object'],
      ['initialize', { protocolVersion: '2025-11-25', capabilities: {} }, '/params/clientInfo is missing'],
    ] as const) {
      const { status, body } = await post({ jsonrpc: '2.0', id: 'a', method, params });
      const error = { code: -32_602, message: `Invalid params: ${problem}.` };
      assert.deepEqual([status, body], [200, { jsonrpc: '2.0', id: 'a', error }]);
    }
    const method = 'subscriptions/listen';
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const notifications = { resourceSubscriptions: Array.from({ length: 1_001 }, () => 'kw://x') };
    const many = await post(
      { jsonrpc: '2.0', id: 'a', method, params: { notifications, _meta } },
      {
        authorization: `Bearer ${keys['read']}`,
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
      },
    );
    assert.deepEqual([many.status, many.body.id, many.body.error.code], [400, 'a', -32_602]);
    const [get, sent] = await Promise.all([
      fetch(`${service.core.base}/mcp`, { headers: { accept: 'text/event-stream' } }),
      post({ jsonrpc: '2.0', method: 'notifications/initialized' }),
    ]);
    assert.deepEqual([get.status, get.headers.get('allow')], [405, 'POST, OPTIONS']);
    assert.deepEqual([sent.status, sent.body], [202, null]);
  });

  it('reveals no internals when something fails', async () => {
    const client = await connect('2026-07-28');
    const { id } = await add(client, 'A text that will be lost.');
    const { deps } = service.core;
    await deps.objectStore.delete(await objectsBelow(deps, `resources/${id}/`));
    const said = await refusal(client, 'fetch', { id });
    assert.match(said, /^ARTIFACT_UNREADABLE: /);
    assert.doesNotMatch(said, /resources\/|\/home|node_modules|\n/);
  });
});
