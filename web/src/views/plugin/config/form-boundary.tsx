import { Component, type ReactNode } from 'react';

interface FormBoundaryProps {
  /** Called when the form cannot be shown. */
  readonly onFailure: () => void;
  readonly children: ReactNode;
}

/** Contains errors of a form, so that an untrusted schema cannot break the page. */
export class FormBoundary extends Component<FormBoundaryProps, { readonly failed: boolean }> {
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
