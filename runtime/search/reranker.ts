import { postJson, type OutgoingPolicy } from '../outgoing/index.js';
import type { RerankConfig } from '../settings/config.js';

/** Scores how well each text answers a query, in the order of the texts. Throws on any failure. */
export type Rerank = (query: string, texts: readonly string[]) => Promise<readonly number[]>;

const timeoutMs = 5_000;
const maxResponseBytes = 1024 * 1024;
/** Texts in one request: text-embeddings-inference refuses more by default (`--max-client-batch-size`). */
const mostTexts = 32;

/**
 * A reranker with the API shared by text-embeddings-inference and Cohere, apart from field names: both variants are
 * sent, since each server ignores unknown fields. The first answers `[{index, score}]`, the second `{results: [{index,
 * relevance_score}]}`.
 */
export function createRerank({ url, model, apiKey }: RerankConfig, policy: OutgoingPolicy): Rerank {
  const score = async (query: string, texts: readonly string[]): Promise<readonly number[]> => {
    const body = {
      query,
      texts,
      documents: texts,
      truncate: true,
      top_n: texts.length,
      ...(model !== null && { model }),
    };
    const answer = await postJson(url, JSON.stringify(body), {
      policy,
      timeoutMs,
      maxResponseBytes,
      ...(apiKey !== null && { headers: { authorization: `Bearer ${apiKey}` } }),
    });
    if (answer.status !== 200) throw new Error(`The reranker answered with status ${answer.status}.`);
    return scoresIn(JSON.parse(answer.body.toString()), texts.length);
  };
  return async (query, texts) => {
    const batches: (readonly string[])[] = [];
    for (let from = 0; from < texts.length; from += mostTexts)
      batches.push(texts.slice(from, from + mostTexts));
    // In parallel, so that one time limit covers all of them.
    return (await Promise.all(batches.map((batch) => score(query, batch)))).flat();
  };
}

function scoresIn(answer: unknown, count: number): readonly number[] {
  const { results = answer } = Object(answer) as { results?: unknown };
  const scores = new Array<number>(count).fill(NaN);
  for (const result of Array.isArray(results) ? (results as unknown[]) : []) {
    const { index, score, relevance_score = score } = Object(result) as Record<string, unknown>;
    if (typeof index === 'number' && typeof relevance_score === 'number' && index in scores)
      scores[index] = relevance_score;
  }
  if (!scores.every(Number.isFinite)) throw new Error('The reranker did not score every text.');
  return scores;
}
