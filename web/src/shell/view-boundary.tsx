import { Component, type ReactNode } from 'react';
import { EmptyState } from '../parts/messages/empty-state.js';
import { Button } from '@mantine/core';

interface State {
  readonly error: Error | null;
}

/** Catches errors while a view renders, and program parts that fail to load. */
export class ViewBoundary extends Component<{ readonly children: ReactNode }, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: Error): State {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <EmptyState
        title="This view has crashed"
        action={<Button onClick={() => window.location.reload()}>Reload the page</Button>}
      >
        Usually, the service was updated while the page was open. ({error.message})
      </EmptyState>
    );
  }
}
