import { callEndpoint, describeAnswer, NoAnswer } from '../call-endpoint.js';
import { PluginFailure } from '@knowledge-warehouse/plugin';
import type { RegisterVectorsConfig } from './config.js';
import { dimensionsDiffer, unavailable, type StoreHost, type VectorRow, type VectorStore } from './store.js';

const timeoutSeconds = 60;
const deletedAtOnce = 1000;
/** How often the same rows are deleted: a server may acknowledge a deletion and do it later. */
const mostDeletions = 3;
/** A Chroma server rejects bodies of more than 40 MB; a number may take 20 characters. */
const batchBytes = 8 * 1024 * 1024;
const batchRows = 500;

interface Collection {
  readonly id: string;
  /** Null until the first write, or if the server does not say. */
  readonly dimension: number | null;
}

/** Creates a store for a collection of a Chroma server, using its REST interface, version 2. */
export function createChromaStore(url: string, config: RegisterVectorsConfig, host: StoreHost): VectorStore {
  const { api_key, collection, tenant, database } = config;
  const [tenantPart, databasePart] = [tenant, database].map(encodeURIComponent);
  const collections = `/api/v2/tenants/${tenantPart}/databases/${databasePart}/collections`;
  let prepared: Collection | undefined;

  /** Sends a request. Returns null if the object does not exist. */
  const call = async (
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
    signal = host.signal,
  ): Promise<unknown> => {
    const headers = api_key ? { authorization: `Bearer ${api_key}`, 'x-chroma-token': api_key } : undefined;
    const answer = await callEndpoint({
      fetch: host.fetch,
      method,
      url: `${url}${path}`,
      key: 'vector_store_url',
      headers,
      body,
      timeoutSeconds,
      signal,
    }).catch((error: unknown) => {
      throw error instanceof NoAnswer ? unavailable(error.message) : error;
    });
    const { status, retryAfterSeconds } = answer;
    if (status === 404) return null;
    if (status >= 200 && status < 300) return parse(answer.body);
    const why = `The Chroma server responded with ${describeAnswer(answer, api_key)}`;
    if (status === 408 || status === 429 || status >= 500) throw unavailable(why, retryAfterSeconds);
    throw new PluginFailure('VECTOR_STORE_REJECTED', why, { retryable: false, details: { status } });
  };

  const find = async (): Promise<Collection | null> =>
    toCollection(await call('GET', `${collections}/${collection}`));

  return {
    async prepare(dimensions) {
      const made = toCollection(
        await call('POST', collections, {
          name: collection,
          get_or_create: true,
          configuration: { hnsw: { space: 'cosine' } },
        }),
      );
      if (made === null) {
        const what = `The Chroma server has no database ${database} of the tenant ${tenant}`;
        throw new PluginFailure('VECTOR_STORE_REJECTED', what, { retryable: false });
      }
      if (made.dimension !== null && made.dimension !== dimensions)
        throw dimensionsDiffer(collection, made.dimension, dimensions);
      prepared = made;
      const checks = (await call('GET', '/api/v2/pre-flight-checks')) as { max_batch_size?: number } | null;
      return { rows: Math.min(batchRows, checks?.max_batch_size ?? batchRows), bytes: batchBytes };
    },

    async upsert(rows) {
      host.signal.throwIfAborted();
      const body = {
        ids: rows.map(({ id }) => id),
        embeddings: rows.map(({ vector }) => vector),
        documents: rows.map(({ text }) => text),
        metadatas: rows.map(metadataOf),
      };
      // Not aborted with a cancelled attempt: the server may still store the rows, and a clean-up must come after that.
      const write = new AbortController();
      const onAbort = (): void => {
        if (isShutdown(host.signal.reason)) write.abort(host.signal.reason);
      };
      host.signal.addEventListener('abort', onAbort);
      const path = `${collections}/${prepared?.id ?? ''}/upsert`;
      const answer = await call('POST', path, body, write.signal).finally(() =>
        host.signal.removeEventListener('abort', onAbort),
      );
      if (answer === null) throw unavailable(`The collection ${collection} has disappeared.`);
    },

    async deleteRuns(resourceId, upToRun) {
      const found = prepared ?? (await find());
      if (found === null) return;
      const path = `${collections}/${found.id}`;
      const where = { $and: [{ resource_id: { $eq: resourceId } }, { run: { $lte: upToRun } }] };
      for (let [deleted, deletions] = ['', 0]; ; deletions++) {
        const rows = await call('POST', `${path}/get`, { where, limit: deletedAtOnce, include: [] });
        const { ids = [] } = (rows ?? {}) as { readonly ids?: readonly string[] };
        if (ids.length === 0) return;
        const key = [...ids].sort().join();
        if (key !== deleted) [deleted, deletions] = [key, 0];
        if (deletions === mostDeletions)
          throw unavailable('The Chroma server accepted a deletion, but the rows are still there.');
        await call('POST', `${path}/delete`, { ids });
      }
    },

    close: () => undefined,
  };
}

/** Whether an attempt ends because its worker stops, which cannot wait; the step is then attempted again. */
const isShutdown = (reason: unknown): boolean => (reason as Error | null)?.message === 'WORKER_SHUTDOWN';

function toCollection(answer: unknown): Collection | null {
  if (answer === null) return null;
  const { id, dimension } = Object(answer) as Record<string, unknown>;
  if (typeof id !== 'string') throw unavailable('The response of the Chroma server names no collection.');
  return { id, dimension: typeof dimension === 'number' ? dimension : null };
}

/** Chroma does not support null in metadata. */
function metadataOf({ id: _id, vector: _vector, text: _text, ...metadata }: VectorRow): object {
  return Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== null));
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw unavailable('The response of the Chroma server is not JSON.');
  }
}
