import { Button } from '@mantine/core';
import { IconVectorOff } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { EmptyState } from '../../parts/messages/empty-state.js';
import { ErrorState } from '../../parts/messages/error-state.js';
import { explainNoVector } from './no-vector.js';

interface SearchErrorProps {
  readonly error: Error;
  readonly onRetry: () => void;
  /** Switches to a search by words. */
  readonly onWords: () => void;
}

/** Shown when the search failed. If search by meaning is not possible, it offers search by words. */
export function SearchError({ error, onRetry, onWords }: SearchErrorProps): ReactElement {
  const problem = explainNoVector(error);
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
