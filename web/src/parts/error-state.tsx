import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { EmptyState } from './empty-state.js';
import { explain } from './explain.js';

interface ErrorStateProps {
  readonly error: Error;
  readonly onRetry: () => void;
}

/** In place of what could not be loaded. */
export function ErrorState({ error, onRetry }: ErrorStateProps): ReactElement {
  const { title, text } = explain(error);
  return (
    <div role="alert">
      <EmptyState
        title={title}
        icon={<IconAlertTriangle size={26} stroke={1.6} />}
        action={
          <Button variant="default" onClick={onRetry}>
            Try again
          </Button>
        }
      >
        {text}
      </EmptyState>
    </div>
  );
}
