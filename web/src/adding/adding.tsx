import {
  createContext,
  Suspense,
  use,
  useCallback,
  useState,
  type ReactElement,
  type ReactNode,
} from 'react';
import { lazyPart } from '../parts/lazy-part.js';
import { DropTarget } from './drop-target.js';

const AddDialog = lazyPart(() => import('./add-dialog.js'));

const AddingContext = createContext<() => void>(() => undefined);

/** Returns a function that opens the dialog. */
export const useAdding = (): (() => void) => use(AddingContext);

/** Accepts files dropped on any view, and shows the dialog that adds them. */
export function Adding({ children }: { readonly children: ReactNode }): ReactElement {
  const [dropped, setDropped] = useState<readonly File[] | null>(null);
  const open = useCallback(() => setDropped((before) => before ?? []), []);
  return (
    <AddingContext value={open}>
      <DropTarget onFiles={setDropped}>{children}</DropTarget>
      <Suspense>
        {dropped !== null && <AddDialog files={dropped} onClose={() => setDropped(null)} />}
      </Suspense>
    </AddingContext>
  );
}
