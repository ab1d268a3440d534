import { Button, Group, Stack } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import type { Operation } from '@knowledge-warehouse/client';
import { isApiError } from '../../../api/client.js';
import { useExclusiveMutation } from '../../../api/exclusive-mutation.js';
import { newId } from '../../../api/new-id.js';
import { startOperation, useOperationPreview, type OperationTarget } from '../../../api/operations.js';
import { Dialog } from '../../../parts/actions/dialog.js';
import { formatCount, plural } from '../../../parts/format.js';
import { PageLoader } from '../../../parts/layout/page-loader.js';
import { Notice } from '../../../parts/messages/notice.js';
import { Problem } from '../../../parts/messages/problem.js';
import type { BulkAction } from './actions.js';
import { MetadataFields } from './metadata-fields.js';
import type { Patch } from './metadata-patch.js';
import { describeSkipped } from './skipped.js';

interface OperationDialogProps {
  readonly action: BulkAction;
  readonly target: OperationTarget;
  readonly onStarted: (operation: Operation) => void;
  readonly onClose: () => void;
}

/** Shows how many resources an operation affects and skips, before it starts. */
export default function OperationDialog(props: OperationDialogProps): ReactElement {
  const { action, target, onStarted, onClose } = props;
  const request = { ...action.request, ...target };
  const needsMetadata = request.action === 'set_metadata';
  const [patch, setPatch] = useState<Patch | null>(null);
  // How many resources it affects does not depend on the metadata.
  const preview = useOperationPreview({ ...request, ...(needsMetadata && { metadata: {} }) });
  const { matched = 0, eligible = 0, skipped = {} } = preview.data ?? {};
  const [idempotencyKey, setIdempotencyKey] = useState(newId);
  const changePatch = (next: Patch | null): void => {
    setPatch(next);
    setIdempotencyKey(newId());
  };
  const start = useExclusiveMutation({
    mutationFn: () =>
      startOperation(
        { ...request, ...(needsMetadata && { metadata: patch }), expected_matched: matched },
        idempotencyKey,
      ),
    onSuccess: onStarted,
    onError: (error) => {
      if (!isApiError(error, 'PRECONDITION_FAILED')) return;
      // Others match now than the user has seen.
      setIdempotencyKey(newId());
      void preview.refetch();
    },
  });
  const verb = action.label.replace(/ …$/, '');
  return (
    <Dialog onClose={onClose} title={`${verb}: ${plural(eligible, 'resource')}`}>
      <Stack>
        {needsMetadata && <MetadataFields onChange={changePatch} />}
        {preview.isPending && <PageLoader />}
        {isApiError(start.error, 'PRECONDITION_FAILED') ? (
          <Notice tone="amber" title="The number of matches has changed" role="status">
            {start.error.message}
          </Notice>
        ) : (
          <Problem error={preview.error ?? start.error} />
        )}
        {preview.data !== undefined && (
          <>
            <p>
              {eligible === 0
                ? matched === 1
                  ? 'The resource cannot be changed in this way.'
                  : `None of the ${plural(matched, 'resource')} can be changed in this way.`
                : action.explanation}
            </p>
            {Object.keys(skipped).length > 0 && (
              <ul className="dim small" aria-label="Left out">
                {describeSkipped(skipped).map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            )}
          </>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button
            {...(action.isDangerous === true && { color: 'red.8' })}
            disabled={eligible === 0 || (needsMetadata && patch === null)}
            loading={start.isPending}
            onClick={() => start.mutate()}
          >
            {verb} {formatCount(eligible)}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
