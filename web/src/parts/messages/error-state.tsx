import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { EmptyState } from './empty-state.js';
import { explain } from './explain.js';
import { PageTitle } from '../layout/page-title.js';

interface ErrorStateProps {
  readonly error: Error;
  readonly onRetry: () => void;
  readonly retryLabel?: string;
  readonly isWholeView?: boolean;
}

/** Shown in place of content that failed to load. */
export function ErrorState(props: ErrorStateProps): ReactElement {
  const { error, onRetry, retryLabel = 'Try again', isWholeView = false } = props;
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
            {retryLabel}
          </Button>
        }
      >
        {text}
      </EmptyState>
    </div>
  );
}
