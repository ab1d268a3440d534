import type { ReactElement } from 'react';

/** The title of the browser tab. React moves it into the document's head. */
export function PageTitle({ children }: { readonly children: string }): ReactElement {
  return <title>{`${children} · Knowledge Warehouse`}</title>;
}
