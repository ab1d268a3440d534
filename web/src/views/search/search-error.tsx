import { Button } from '@mantine/core';
import { IconVectorOff } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { isApiError } from '../../api/client.js';
import { EmptyState } from '../../parts/messages/empty-state.js';
import type { Explanation } from '../../parts/messages/explain.js';
import { ErrorState } from '../../parts/messages/error-state.js';

interface SearchErrorProps {
  readonly error: Error;
  readonly onRetry: () => void;
  /** Switches to a search by words. */
  readonly onWords: () => void;
}

/** Shown when the search failed. If search by meaning is not possible, it offers search by words. */
export function SearchError({ error, onRetry, onWords }: SearchErrorProps): ReactElement {
  const problem = problemOf(error);
  if (problem === null) return <ErrorState error={error} onRetry={onRetry} />;
  return (
    <div role="alert">
      <EmptyState
        title={problem.title}
        icon={<IconVectorOff size={26} stroke={1.6} />}
        action={
          <Button variant="default" onClick={onWords}>
            Search by words
          </Button>
        }
      >
        {problem.text} Until then, search by “Words”.
      </EmptyState>
    </div>
  );
}

/** Explains in the words of the page why there is no search by meaning; null for other errors. */
function problemOf(error: Error): Explanation | null {
  const title = 'Semantic search needs vectors';
  if (isApiError(error, 'NO_EMBEDDER'))
    return {
      title,
      text: 'The plugin “embed” is inactive, or its config names no base URL and model. Set them, add it to a pipeline, then reprocess its resources.',
    };
  if (isApiError(error, 'NO_VECTORS'))
    return {
      title,
      text: 'No resource has vectors of the model in the config of the plugin “embed”. Add the plugin to a pipeline, then reprocess its resources.',
    };
  if (isApiError(error, 'SEARCH_UNAVAILABLE') && error.details['reason'] === 'EMBEDDER_UNAVAILABLE')
    return {
      title: 'The embedding service does not answer',
      text: 'It is the endpoint in the config of the plugin “embed”. Try again in a moment.',
    };
  return null;
}
