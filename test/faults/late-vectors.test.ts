import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { definePlugin } from '@knowledge-warehouse/plugin';
import { createRegisterVectors } from '../../plugins/register-vectors/index.js';
import { eventually } from '../support/eventually.js';
import { startRemoteSite, type RemoteSite } from '../support/network/remote-site.js';
import { startCore, type TestCore } from '../support/service/core.js';

let texts: readonly string[] = [];
const emitter = definePlugin({
  id: 'emitter',
  name: 'Emitter',
  version: '1.0.0',
  configSchema: { type: 'object' },
  produces: ['chunks', 'embeddings'],
  async run(ctx) {
    const chunks = texts.map((text) => ({ text }));
    const vectors = texts.map((_, at) => [1, at + 1]);
    await ctx.emit({ type: 'chunks', content_type: 'json', content: { chunks } });
    await ctx.emit({ type: 'embeddings', content_type: 'vector', content: vectors });
  },
});

/** What the plugin sends to Chroma, of which each request has a part. */
interface Sent {
  readonly ids: readonly string[];
  readonly documents: readonly string[];
  readonly metadatas: readonly Omit<Row, 'text'>[];
  readonly where: {
    readonly $and: readonly [
      { readonly resource_id: { readonly $eq: string } },
      { readonly run: { readonly $lte: number } },
    ];
  };
}

interface Row {
  readonly resource_id: string;
  readonly run: number;
  readonly text: string;
}

describe('a Chroma server that stores what a cancelled attempt sent only later', () => {
  let core: TestCore;
  let chroma: RemoteSite;
  const rows = new Map<string, Row>();
  /** Stores what run 1 sent, and answers. */
  let held: (() => void) | null = null;
  /** When that happens. */
  let when: 'before run 2 deletes' | 'after run 2 has deleted' | 'after run 2';
  const storeHeld = (): void => {
    held?.();
    held = null;
  };

  before(async () => {
    chroma = await startRemoteSite();
    const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const answer = (value: object): unknown => response.end(JSON.stringify(value));
      const { url = '' } = request;
      const body = (request.method === 'POST' ? await json(request) : {}) as Sent;
      if (url.endsWith('/upsert')) {
        const store = (): void => {
          const { ids, documents, metadatas } = body;
          for (const [at, id] of ids.entries()) rows.set(id, { ...metadatas[at]!, text: documents[at]! });
          answer({});
        };
        if (body.metadatas[0]!.run === 1) held = store;
        else store();
      } else if (url.endsWith('/get')) {
        const [{ resource_id }, { run }] = body.where.$and;
        if (when === 'before run 2 deletes') storeHeld();
        const found = [...rows].filter(
          ([, row]) => row.resource_id === resource_id.$eq && row.run <= run.$lte,
        );
        answer({ ids: found.map(([id]) => id) });
        if (when === 'after run 2 has deleted') storeHeld();
      } else if (url.endsWith('/delete')) {
        for (const id of body.ids) rows.delete(id);
        answer({});
      } else answer({ id: 'a', dimension: null });
    };
    chroma.handle = (request, response) => void serve(request, response);
    core = await startCore({
      plugins: [emitter, createRegisterVectors({ defaultFolder: '/' })],
      env: { KW_LOG_LEVEL: 'fatal' },
    });
    await core.pipeline('vectors', { plugin_id: 'emitter' }, { plugin_id: 'register-vectors' });
    const config = { vector_store_url: chroma.url };
    assert.equal((await core.call('PUT', '/plugins/register-vectors/config', { config })).status, 200);
  });
  after(async () => {
    await core.stop();
    await chroma.stop();
  });

  for (const moment of ['before run 2 deletes', 'after run 2 has deleted', 'after run 2'] as const) {
    it(`ends up with the rows of the next run: stored ${moment}`, async () => {
      [when, texts] = [moment, ['old 0', 'old 1', 'old 2']];
      rows.clear();
      const { id } = await core.upload('vectors');
      await eventually(() => held !== null);
      assert.equal((await core.call('POST', `/resources/${id}/cancel`)).status, 202);
      await core.settled(id);
      texts = ['new 0', 'new 1'];
      assert.equal((await core.call('POST', `/resources/${id}/reprocess`, {})).status, 202);
      assert.equal((await core.settled(id)).status, 'COMPLETED');
      storeHeld();
      // The attempt of run 1 ends only after its write.
      await eventually(async () => {
        const left = [...rows.values()].map(({ text }) => text).sort();
        const { body } = await core.call('GET', '/plugins/register-vectors');
        return left.join() === 'new 0,new 1' && body.pending_clean_ups.count === 0;
      });
    });
  }
});
