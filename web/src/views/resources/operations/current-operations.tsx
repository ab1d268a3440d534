import { useState, type ReactElement } from 'react';
import type { Operation } from '@knowledge-warehouse/client';
import { useLatestOperations } from '../../../api/operations.js';
import { bulkActions, type BulkAction } from './actions.js';
import { OperationProgress } from './operation-progress.js';

/** The last operation that was started here. */
export interface OwnOperation {
  readonly id: string;
  /** Undoes it; null if that is not possible. */
  readonly undo: (() => Promise<void>) | null;
}

/** The operations that are running, whoever started them, and the outcome of those that ended meanwhile. */
export function CurrentOperations({ own }: { readonly own: OwnOperation | null }): ReactElement {
  const { data: operations = [] } = useLatestOperations();
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set());
  const isCurrent = ({ id, status }: Operation): boolean => status === 'RUNNING' || id === own?.id;
  const added = operations.filter((operation) => isCurrent(operation) && !seen.has(operation.id));
  if (added.length > 0) setSeen(new Set([...seen, ...added.map(({ id }) => id)]));
  return (
    <>
      {operations
        .filter(({ id }) => seen.has(id) && !dismissed.has(id))
        .map((operation) => (
          <OperationProgress
            key={operation.id}
            id={operation.id}
            action={wordsOf(operation)}
            onUndo={operation.id === own?.id ? own.undo : null}
            onClose={() => setDismissed(new Set([...dismissed, operation.id]))}
          />
        ))}
    </>
  );
}

/** A run that begins at a numbered step has the words of one that begins at the first. */
const wordsOf = ({ action, from_step }: Operation): Pick<BulkAction, 'doing' | 'done'> =>
  bulkActions.find(
    ({ request }) =>
      request.action === action && (request.from_step === 'failed') === (from_step === 'failed'),
  ) ?? { doing: 'Changing', done: 'changed' };
