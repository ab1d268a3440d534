import assert from 'node:assert/strict';
import { rename, rm, writeFile } from 'node:fs/promises';
import { json } from 'node:stream/consumers';
import * as lancedb from '@lancedb/lancedb';
import { startChroma, type TestChroma } from '../support/servers/chroma.js';
import type { Answer } from '../support/service/core.js';
import { eventually } from '../support/eventually.js';
import { isFull } from '../support/full.js';
import { startRemoteSite, type RemoteSite } from '../support/network/remote-site.js';
import type { RestClient } from '../support/service/rest-client.js';
import { startWebService, type WebService } from '../support/browser/web-service.js';

const collection = 'knowledge_warehouse';

/** More than ten chunks. */
const document = Array.from(
  { length: 60 },
  (_, index) => `# Section ${index}\n\n${'The archive keeps what the office sends. '.repeat(20)}\n`,
).join('\n');

/** A vector that any text has, and that tells texts apart. */
function vectorOf(text: string): number[] {
  const vector = [0.1, 0.1, 0.1, 0.1];
  for (let at = 0; at < text.length; at++) vector[at % 4]! += text.charCodeAt(at) / 1_000;
  return vector;
}

describe('vectors of documents', () => {
  let service: WebService;
  let client: RestClient;
  let chroma: TestChroma | undefined;
  let model: RemoteSite;

  before(async () => {
    [service, model] = await Promise.all([startWebService(), startRemoteSite()]);
    if (isFull) chroma = await startChroma();
    ({ client } = service);
    model.handle = (request, response) => {
      void json(request).then((body) => {
        const { input } = body as { readonly input: readonly string[] };
        const data = input.map((text, index) => ({ index, embedding: vectorOf(text) }));
        response.end(JSON.stringify({ object: 'list', data }));
      });
    };
    await configure('embed', { base_url: `${model.url}/v1`, model: 'small' });
    const bounds = { max_attempts: 3, backoff_seconds: 0.5, timeout_seconds: 60 };
    const steps = ['extract-text', 'chunk-text', 'embed', 'register-vectors'].map((plugin_id) => ({
      plugin_id,
      ...bounds,
    }));
    await client.expect(201, 'POST', '/pipelines', { name: 'Vectors', trigger_type: 'vectors', steps });
  });
  after(async () => {
    await Promise.all([service.stop(), chroma?.stop(), model.stop()]);
  });

  const configure = (plugin: string, config: object): Promise<unknown> =>
    client.expect(200, 'PUT', `/plugins/${plugin}/config`, { config });
  const pending = async (): Promise<Answer['body']> =>
    (await client.expect(200, 'GET', '/plugins/register-vectors')).pending_clean_ups;
  const lanceFolder = (): string => service.vectorFolder;

  const stores = {
    LanceDB: {
      config: () => ({}),
      rows: async (): Promise<string[]> => {
        const connection = await lancedb.connect(lanceFolder());
        const rows = await (await connection.openTable(collection)).query().select(['id']).toArray();
        connection.close();
        return rows.map((row: { id: string }) => row.id);
      },
      // A file stands where the folder was: nothing can be opened there.
      interrupt: async () => {
        await rename(lanceFolder(), `${lanceFolder()}-away`);
        await writeFile(lanceFolder(), '');
      },
      resume: async () => {
        await rm(lanceFolder());
        await rename(`${lanceFolder()}-away`, lanceFolder());
      },
    },
    // Every run tries Chroma in `plugins/register-vectors`, also while it is down, and in a pipeline in
    // `faults/late-vectors`.
    ...(isFull && {
      Chroma: {
        config: () => ({ vector_store_url: chroma!.url }),
        rows: async (): Promise<string[]> => (await chroma!.rows(collection))?.ids ?? [],
        interrupt: () => chroma!.interrupt(),
        resume: () => chroma!.resume(),
      },
    }),
  };

  for (const [name, store] of Object.entries(stores)) {
    it(`are in ${name} after the pipeline, and gone after a delete, even one while the store was down`, async () => {
      await configure('register-vectors', store.config());
      const add = async (): Promise<Answer['body']> => {
        const { id } = await client.upload('vectors', { text: document });
        const resource = await client.settled(id);
        assert.equal(resource.status, 'COMPLETED', JSON.stringify(resource.error));
        return resource;
      };
      const [first, second, third] = [await add(), await add(), await add()];
      const { chunks } = (await client.artifact(first, 'chunks')).content;
      const { content: vectors } = await client.artifact(first, 'embeddings');
      assert.ok(chunks.length > 10);
      assert.deepEqual(
        vectors,
        chunks.map(({ text }: { text: string }) => vectorOf(text)),
      );
      const idsOf = ({ id }: Answer['body']): string[] =>
        chunks.map((_: unknown, index: number) => `${id}:1:${index}`);
      const are = async (...resources: Answer['body'][]): Promise<true> => {
        assert.deepEqual((await store.rows()).sort(), resources.flatMap(idsOf).sort());
        return true;
      };
      await are(first, second, third);

      await client.expect(204, 'DELETE', `/resources/${first.id}`);
      await eventually(() => are(second, third));
      // The rows go before the clean-up is noted as done.
      await eventually(async () => (await pending()).count === 0);

      await store.interrupt();
      await client.expect(204, 'DELETE', `/resources/${second.id}`);
      await eventually(async () => {
        const { count, last_error } = await pending();
        return count === 1 && last_error !== null;
      });
      await store.resume();
      await eventually(async () => (await pending()).count === 0);
      await are(third);
    });
  }
});
