import { Button, CloseButton, Progress } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, type ReactElement } from 'react';
import { useExclusiveMutation } from '../../../api/exclusive-mutation.js';
import { cancelOperation, failuresKey, useOperation } from '../../../api/operations.js';
import { resourceKeys } from '../../../api/resources.js';
import { formatCount, plural } from '../../../parts/format.js';
import { showProblem } from '../../../parts/messages/notices.js';
import type { BulkAction } from './actions.js';
import { describeSkipped } from './skipped.js';
import classes from './operations.module.css';

interface OperationProgressProps {
  readonly id: string;
  readonly action: Pick<BulkAction, 'doing' | 'done'>;
  /** Undoes it; null if that is not possible. */
  readonly onUndo: (() => Promise<void>) | null;
  readonly onClose: () => void;
}

/** The progress of an operation, and its outcome. */
export function OperationProgress({
  id,
  action,
  onUndo,
  onClose,
}: OperationProgressProps): ReactElement | null {
  const { data: operation } = useOperation(id);
  const client = useQueryClient();
  const undo = useExclusiveMutation({ mutationFn: async () => onUndo?.(), onError: showProblem });
  const status = operation?.status;
  useEffect(() => {
    if (status === undefined || status === 'RUNNING') return;
    void client.invalidateQueries({ queryKey: resourceKeys.lists });
    void client.invalidateQueries({ queryKey: failuresKey });
  }, [client, status]);
  if (operation === undefined) return null;
  const { matched, done, skipped, failed } = operation;
  const left = { ...skipped, ...failed };
  const handled = done + Object.values(left).reduce((sum, count) => sum + count, 0);
  const isRunning = operation.status === 'RUNNING';
  return (
    <div className={classes.progress} role="status">
      <div className={classes.line}>
        <span>
          {isRunning
            ? `${action.doing} ${formatCount(handled)} of ${plural(matched, 'resource')}`
            : `${plural(done, 'resource')} ${action.done}${operation.status === 'CANCELLED' ? ', then stopped' : ''}`}
        </span>
        {!isRunning && describeSkipped(left).map((line) => <span key={line}>{line}</span>)}
        <div className={classes.buttons}>
          {isRunning && (
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => void cancelOperation(id).catch(showProblem)}
            >
              Stop
            </Button>
          )}
          {!isRunning && onUndo !== null && (
            <Button
              size="compact-sm"
              variant="default"
              loading={undo.isPending}
              onClick={() => undo.mutate()}
            >
              Undo
            </Button>
          )}
          {!isRunning && <CloseButton aria-label="Dismiss" onClick={onClose} />}
        </div>
      </div>
      {isRunning && (
        <Progress value={matched === 0 ? 100 : (handled / matched) * 100} aria-label={action.doing} mt={6} />
      )}
    </div>
  );
}
