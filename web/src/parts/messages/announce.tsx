import { VisuallyHidden } from '@mantine/core';
import type { ReactElement } from 'react';

/** Text that a screen reader announces politely when it changes. */
export function Announce({ children }: { readonly children: string }): ReactElement {
  return (
    <VisuallyHidden component="p" role="status">
      {children}
    </VisuallyHidden>
  );
}
