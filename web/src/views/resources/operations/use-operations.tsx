import { lazy, Suspense, useState, type ReactElement } from 'react';
import type { OperationTarget } from '../../../api/operations.js';
import { newId } from '../../../api/new-id.js';
import { startOperation } from '../../../api/operations.js';
import { showProblem } from '../../../parts/messages/notices.js';
import { bulkActions, inverseOf, type BulkAction } from './actions.js';
import { OperationProgress } from './operation-progress.js';

const OperationDialog = lazy(() => import('./operation-dialog.js'));

interface Asked {
  readonly action: BulkAction;
  readonly target: OperationTarget;
}

interface Started extends Asked {
  readonly id: string;
}

interface Operations {
  /** Asks for confirmation, then carries out an action. */
  readonly ask: (action: BulkAction, target: OperationTarget) => void;
  /** The confirmation dialog while it is open. */
  readonly dialog: ReactElement | null;
  /** The progress of the started operation. */
  readonly progress: ReactElement | null;
}

/** Runs operations on many resources, from the confirmation to the result. */
export function useOperations(onStarted: () => void): Operations {
  const [asked, setAsked] = useState<Asked | null>(null);
  const [started, setStarted] = useState<Started | null>(null);

  const undo = ({ action, target }: Started): void => {
    const inverse = bulkActions.find(({ name }) => name === inverseOf[action.name]);
    if (inverse === undefined) return;
    startOperation({ ...inverse.request, ...target }, newId()).then(
      ({ id }) => setStarted({ action: inverse, target, id }),
      showProblem,
    );
  };
  return {
    ask: (action, target) => setAsked({ action, target }),
    dialog: asked && (
      <Suspense>
        <OperationDialog
          {...asked}
          onClose={() => setAsked(null)}
          onStarted={({ id }) => {
            setStarted({ ...asked, id });
            setAsked(null);
            onStarted();
          }}
        />
      </Suspense>
    ),
    progress: started && (
      <OperationProgress
        key={started.id}
        id={started.id}
        action={started.action}
        // A filter may match other resources now.
        onUndo={started.target.ids === undefined ? null : () => undo(started)}
        onClose={() => setStarted(null)}
      />
    ),
  };
}
