import { useState, type ReactElement } from 'react';
import { useLatestOperations } from '../../../api/operations.js';
import { bulkActions, type BulkAction } from './actions.js';
import { OperationProgress } from './operation-progress.js';

/** The last operation that was started here. */
export interface OwnOperation {
  readonly id: string;
  readonly action: BulkAction;
  /** Undoes it; null if that is not possible. */
  readonly undo: (() => void) | null;
}

/** The operations that are running, whoever started them, and the outcome of those that ended meanwhile. */
export function CurrentOperations({ own }: { readonly own: OwnOperation | null }): ReactElement {
  const { data: operations = [] } = useLatestOperations();
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set(own === null ? [] : [own.id]));
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set());
  const added = operations.filter(({ id, status }) => status === 'RUNNING' && !seen.has(id));
  if (added.length > 0) setSeen(new Set([...seen, ...added.map(({ id }) => id)]));
  return (
    <>
      {operations
        .filter(({ id }) => seen.has(id) && !dismissed.has(id))
        .map(({ id, action }) => (
          <OperationProgress
            key={id}
            id={id}
            action={id === own?.id ? own.action : wordsOf(action)}
            onUndo={id === own?.id ? own.undo : null}
            onClose={() => setDismissed(new Set([...dismissed, id]))}
          />
        ))}
    </>
  );
}

const wordsOf = (action: string): Pick<BulkAction, 'doing' | 'done'> =>
  bulkActions.find(({ request }) => request.action === action && request.from_step === undefined) ?? {
    doing: 'Changing',
    done: 'changed',
  };
