import {
  createContext,
  lazy,
  Suspense,
  use,
  useCallback,
  useState,
  type ReactElement,
  type ReactNode,
} from 'react';
import { DropTarget } from './drop-target.js';

const AddDialog = lazy(() => import('./add-dialog.js'));

const AddingContext = createContext<() => void>(() => undefined);

/** Opens the dialog that adds resources. */
export const useAdding = (): (() => void) => use(AddingContext);

/** Takes files that are dropped on any view, and has the dialog that adds them. */
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
