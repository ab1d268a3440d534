import { Component, type ReactNode } from 'react';

interface ErrorBoundaryProps {
  /** Called when the content cannot be shown. */
  readonly onFailure: () => void;
  readonly children: ReactNode;
}

/** Contains errors of untrusted content, such as a schema or Markdown, so that it cannot break the page. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true };
  }

  override componentDidCatch(): void {
    this.props.onFailure();
  }

  override render(): ReactNode {
    return this.state.failed ? null : this.props.children;
  }
}
