import type { SearchAnswer } from '@knowledge-warehouse/client';
import { isApiError } from '../../api/client.js';
import type { Explanation } from '../../parts/messages/explain.js';

type Reason = NonNullable<SearchAnswer['fallback']>['reason'];

const title = 'Semantic search needs vectors';

/** Explains in the words of the page why there is no search by meaning. */
export const noVector: Readonly<Record<Reason, Explanation>> = {
  NO_EMBEDDER: {
    title,
    text: 'The plugin “embed” is inactive, or its config lacks a base URL or a model. Correct that, add the plugin to a pipeline, then reprocess its resources.',
  },
  NO_VECTORS: {
    title,
    text: 'No resource has vectors of the model in the config of the plugin “embed”. Add the plugin to a pipeline, then reprocess its resources.',
  },
  EMBEDDER_UNAVAILABLE: {
    title: 'The embedding service does not answer',
    text: 'It is the endpoint in the config of the plugin “embed”. Try again in a moment.',
  },
};

/** Returns why there is no search by meaning; null for errors with another cause. */
export function explainNoVector(error: Error): Explanation | null {
  if (!isApiError(error)) return null;
  const reason = error.code === 'SEARCH_UNAVAILABLE' ? error.details['reason'] : error.code;
  return Object.entries(noVector).find(([known]) => known === reason)?.[1] ?? null;
}
