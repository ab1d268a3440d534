import type { Deps } from '../../runtime/deps.js';
import { createEmbedQuery, type EmbedQuery } from '../../runtime/search/embedder.js';
import type { SearchEngine } from '../../runtime/search/engine.js';
import { lanceLocation } from '../../runtime/search/lance/location.js';
import { createLanceEngine } from '../../runtime/search/lance/reader.js';
import { createRerank, type Rerank } from '../../runtime/search/reranker.js';
import { createSearchLimiter, type SearchLimiter } from './limiter.js';

/** State that all searches of a process share. */
export interface SearchParts {
  readonly engine: SearchEngine;
  /** Searches that use the index. */
  readonly limiter: SearchLimiter;
  /** Searches that use the reranker. One that gets no place answers as if it had failed. */
  readonly reranking: SearchLimiter;
  readonly embedQuery: EmbedQuery;
  /** Null: no reranker is configured. */
  readonly rerank: Rerank | null;
}

/** How many searches may wait for the reranker. They hold the texts of their hits. */
const mostReranking = 32;

export function createSearchParts({ config }: Pick<Deps, 'config'>): SearchParts {
  const policy = { allow: config.pluginHosts };
  return {
    engine: createLanceEngine(lanceLocation(config)),
    limiter: createSearchLimiter(),
    reranking: createSearchLimiter(undefined, mostReranking),
    embedQuery: createEmbedQuery(policy),
    rerank: config.rerank === null ? null : createRerank(config.rerank, policy),
  };
}
