import { Button } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { EmptyState } from './empty-state.js';

interface CrashBoundaryProps {
  /** The whole page is in it: nothing else stays. */
  readonly isWholePage?: boolean;
  readonly children: ReactNode;
}

interface State {
  readonly error: Error | null;
}

/** Catches errors while a part of the page renders, and program parts that fail to load. The rest of the page stays. */
export class CrashBoundary extends Component<CrashBoundaryProps, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: Error): State {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    const { isWholePage = false, children } = this.props;
    if (error === null) return children;
    return (
      <EmptyState
        isWholeView={isWholePage}
        title={isWholePage ? 'The page has crashed' : 'This part of the page has crashed'}
        action={<Button onClick={() => window.location.reload()}>Reload the page</Button>}
      >
        Usually, the service was updated while the page was open. ({error.message})
      </EmptyState>
    );
  }
}
