import type { ReactElement } from 'react';
import { ListSkeleton } from '../layout/list-skeleton.js';
import { PageLoader } from '../layout/page-loader.js';
import { ErrorState } from './error-state.js';

interface LoadingStateProps {
  readonly query: { readonly error: Error | null; readonly refetch: () => Promise<unknown> };
  /** The label of the placeholder for a list; default: a loader. */
  readonly listLabel?: string;
  readonly isWholeView?: boolean;
}

/** Shown in place of content that is not loaded yet, or failed to load. */
export function LoadingState({ query, listLabel, isWholeView = false }: LoadingStateProps): ReactElement {
  const { error, refetch } = query;
  if (error !== null)
    return <ErrorState isWholeView={isWholeView} error={error} onRetry={() => void refetch()} />;
  return listLabel === undefined ? <PageLoader /> : <ListSkeleton label={listLabel} />;
}
