import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useState, type ReactElement } from 'react';
import type { ListedResource } from '@knowledge-warehouse/client';
import { newId } from '../../../api/new-id.js';
import { operationKeys, startOperation, type OperationTarget } from '../../../api/operations.js';
import { lazyPart } from '../../../parts/lazy-part.js';
import { bulkActions, inverseOf, type BulkAction } from './actions.js';
import { CurrentOperations, type OwnOperation } from './current-operations.js';

const OperationDialog = lazyPart(() => import('./operation-dialog.js'));

interface Asked {
  readonly action: BulkAction;
  readonly target: OperationTarget;
  /** The resources that the action changes, if it can be undone. */
  readonly changed: readonly string[];
}

interface Operations {
  /** Asks for confirmation, then carries out an action. */
  readonly ask: (action: BulkAction, target: OperationTarget) => void;
  /** The confirmation dialog while it is open. */
  readonly dialog: ReactElement | null;
  /** The progress of the started operations, and of those of others. */
  readonly progress: ReactElement;
}

/** Runs operations on many resources, from the confirmation to the result. `shown`: the resources of the page. */
export function useOperations(shown: readonly ListedResource[], onStarted: () => void): Operations {
  const [asked, setAsked] = useState<Asked | null>(null);
  const [own, setOwn] = useState<OwnOperation | null>(null);
  const client = useQueryClient();

  const note = (id: string, { action, changed }: Asked): void => {
    const inverse = bulkActions.find(({ name }) => name === inverseOf[action.name]);
    const idempotencyKey = newId();
    const undo = async (): Promise<void> => {
      if (inverse === undefined) return;
      const target = { ids: [...changed] };
      const undoing = await startOperation({ ...inverse.request, ...target }, idempotencyKey);
      note(undoing.id, { action: inverse, target, changed });
    };
    setOwn({ id, undo: changed.length === 0 ? null : undo });
    void client.invalidateQueries({ queryKey: operationKeys.list });
  };
  return {
    ask: (action, target) => setAsked({ action, target, changed: changedBy(action, target, shown) }),
    dialog: asked && (
      <Suspense>
        <OperationDialog
          action={asked.action}
          target={asked.target}
          onClose={() => setAsked(null)}
          onStarted={({ id }) => {
            note(id, asked);
            setAsked(null);
            onStarted();
          }}
        />
      </Suspense>
    ),
    progress: <CurrentOperations own={own} />,
  };
}

/**
 * Returns the resources of a selection that enabling or disabling changes. Returns none for a filter, which may match
 * others later, or for a selection with resources of other pages, whose state is unknown.
 */
function changedBy(
  { name }: BulkAction,
  { ids = [] }: OperationTarget,
  shown: readonly ListedResource[],
): readonly string[] {
  if (inverseOf[name] === undefined) return [];
  const before = name === 'disable';
  const chosen = shown.filter(({ id }) => ids.includes(id));
  if (chosen.length < ids.length) return [];
  return chosen.filter(({ is_enabled }) => is_enabled === before).map(({ id }) => id);
}
