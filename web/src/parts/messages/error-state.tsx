import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { EmptyState } from './empty-state.js';
import { explain } from './explain.js';
import { PageTitle } from '../layout/page-title.js';

interface ErrorStateProps {
  readonly error: Error;
  readonly onRetry: () => void;
  readonly isWholeView?: boolean;
}

/** Shown in place of content that failed to load. */
export function ErrorState({ error, onRetry, isWholeView = false }: ErrorStateProps): ReactElement {
  const { title, text } = explain(error);
  return (
    <div role="alert">
      {isWholeView && <PageTitle>{title}</PageTitle>}
      <EmptyState
        title={title}
        isWholeView={isWholeView}
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
