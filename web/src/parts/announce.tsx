import { VisuallyHidden } from '@mantine/core';
import type { ReactElement } from 'react';

/** Said by a screen reader when it changes, when nothing else is being said. */
export function Announce({ children }: { readonly children: string }): ReactElement {
  return (
    <VisuallyHidden component="p" role="status">
      {children}
    </VisuallyHidden>
  );
}
