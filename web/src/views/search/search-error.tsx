import { Button } from '@mantine/core';
import { IconVectorOff } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { isApiError } from '../../api/client.js';
import { EmptyState } from '../../parts/messages/empty-state.js';
import { ErrorState } from '../../parts/messages/error-state.js';

interface SearchErrorProps {
  readonly error: Error;
  readonly onRetry: () => void;
  /** Switches to a search by words. */
  readonly onWords: () => void;
}

/** Shown when the search failed. If search by meaning is not possible, it offers search by words. */
export function SearchError({ error, onRetry, onWords }: SearchErrorProps): ReactElement {
  if (!isApiError(error, 'NO_EMBEDDER') && !isApiError(error, 'NO_VECTORS'))
    return <ErrorState error={error} onRetry={onRetry} />;
  return (
    <div role="alert">
      <EmptyState
        title="Semantic search needs vectors"
        icon={<IconVectorOff size={26} stroke={1.6} />}
        action={
          <Button variant="default" onClick={onWords}>
            Search by words
          </Button>
        }
      >
        {error.message} Add the plugin “embed” to a pipeline, then reprocess its resources.
      </EmptyState>
    </div>
  );
}
