import {
  createContext,
  Suspense,
  use,
  useCallback,
  useState,
  type ReactElement,
  type ReactNode,
} from 'react';
import { Dialog } from '../parts/actions/dialog.js';
import { useUnsaved } from '../parts/actions/unsaved.js';
import { PageLoader } from '../parts/layout/page-loader.js';
import { lazyPart } from '../parts/lazy-part.js';
import { CrashBoundary } from '../parts/messages/crash-boundary.js';
import { DropTarget } from './drop-target.js';

const AddContent = lazyPart(() => import('./add-content.js'));

const AddingContext = createContext<() => void>(() => undefined);

/** Returns a function that opens the dialog. */
export const useAdding = (): (() => void) => use(AddingContext);

/** Accepts files dropped on any view, and shows the dialog that adds them. */
export function Adding({ children }: { readonly children: ReactNode }): ReactElement {
  const [dropped, setDropped] = useState<readonly File[] | null>(null);
  const open = useCallback(() => setDropped((before) => before ?? []), []);
  const drop = useCallback(
    (files: readonly File[]) => setDropped((before) => [...(before ?? []), ...files]),
    [],
  );
  const close = (): void => setDropped(null);
  return (
    <AddingContext value={open}>
      <DropTarget onFiles={drop}>{children}</DropTarget>
      {dropped !== null && (
        <Dialog onClose={close} title="Add resources" size="lg">
          <CrashBoundary>
            <Suspense fallback={<Loading hasFiles={dropped.length > 0} />}>
              <AddContent files={dropped} onClose={close} />
            </Suspense>
          </CrashBoundary>
        </Dialog>
      )}
    </AddingContext>
  );
}

/** Asks before dropped files are lost by closing a dialog that is still loading. */
function Loading({ hasFiles }: { readonly hasFiles: boolean }): ReactElement {
  useUnsaved(hasFiles);
  return <PageLoader />;
}
