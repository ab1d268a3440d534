import { createHash } from 'node:crypto';
import { isComparable } from '../../core/documents/vectors.js';
import { postJson, type OutgoingPolicy } from '../outgoing/index.js';

/** The settings of the plugin `embed` that affect query vectors. */
export interface EmbedderConfig {
  readonly base_url: string;
  readonly model: string;
  readonly api_key?: string;
  readonly dimensions?: number;
}

/** An embedding failure; its cause is only for the log. */
export class EmbedderFailure extends Error {}

/** Embeds queries and caches the most recent vectors. */
export type EmbedQuery = (text: string, config: EmbedderConfig) => Promise<readonly number[]>;

const timeoutMs = 10_000;
const mostRemembered = 1_000;
/** How many requests may be in flight. One too many fails. */
const mostRequests = 64;
const rememberedMs = 10 * 60_000;
const maxResponseBytes = 4 * 1024 * 1024;

/** Converts the config of the plugin `embed`; null if it has no endpoint and model. */
export function toEmbedderConfig(config: Readonly<Record<string, unknown>>): EmbedderConfig | null {
  const { base_url, model, api_key, dimensions } = config;
  if (typeof base_url !== 'string' || base_url === '' || typeof model !== 'string' || model === '')
    return null;
  return {
    base_url,
    model,
    ...(typeof api_key === 'string' && { api_key }),
    ...(typeof dimensions === 'number' && { dimensions }),
  };
}

/** Creates an embedder; its cache is keyed by the hash of the text. It throws EmbedderFailure. */
export function createEmbedQuery(policy: OutgoingPolicy): EmbedQuery {
  const remembered = new Map<string, { readonly at: number; readonly vector: Promise<readonly number[]> }>();
  let requests = 0;
  return async (text, config) => {
    const key = createHash('sha256')
      .update(JSON.stringify([text, config]))
      .digest('base64');
    const kept = remembered.get(key);
    remembered.delete(key);
    if (kept !== undefined && performance.now() - kept.at < rememberedMs) {
      remembered.set(key, kept);
      return await kept.vector;
    }
    if (requests >= mostRequests) throw new EmbedderFailure('Too many queries are waiting for a vector.');
    requests++;
    const vector = embed(text, config, policy).finally(() => requests--);
    remembered.set(key, { at: performance.now(), vector });
    // Failures are not cached.
    vector.catch(() => remembered.delete(key));
    // A map keeps insertion order, so the first entry is the least recently used.
    for (const oldest of remembered.keys()) if (remembered.size > mostRemembered) remembered.delete(oldest);
    return await vector;
  };
}

async function embed(
  text: string,
  { base_url, model, api_key, dimensions }: EmbedderConfig,
  policy: OutgoingPolicy,
): Promise<readonly number[]> {
  const body = {
    model,
    input: [text],
    encoding_format: 'float',
    ...(dimensions !== undefined && { dimensions }),
  };
  try {
    const answer = await postJson(`${base_url.replace(/\/+$/, '')}/embeddings`, JSON.stringify(body), {
      policy,
      timeoutMs,
      maxResponseBytes,
      ...(api_key !== undefined && { headers: { authorization: `Bearer ${api_key}` } }),
    });
    if (answer.status !== 200)
      throw new EmbedderFailure(`The embedding endpoint answered with status ${answer.status}.`);
    const { data } = Object(JSON.parse(answer.body.toString())) as { data?: { embedding?: unknown }[] };
    const vector: unknown = data?.[0]?.embedding;
    if (!isComparable(vector))
      throw new EmbedderFailure('The embedding endpoint answered without a vector that can be compared.');
    return vector;
  } catch (cause) {
    if (cause instanceof EmbedderFailure) throw cause;
    throw new EmbedderFailure('The embedding endpoint did not respond.', { cause });
  }
}
