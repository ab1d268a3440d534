import { Button, Group, NativeSelect, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useMemo, useState, type ReactElement } from 'react';
import { newId } from '../../api/new-id.js';
import { usePipelines } from '../../api/pipelines.js';
import { reprocessMany, type BulkFilter } from '../../api/resources.js';
import type { ResourceStatus } from '@knowledge-warehouse/client';
import { Dialog } from '../../parts/dialog.js';
import { plural } from '../../parts/format.js';
import { showDone } from '../../parts/notices.js';
import { Problem } from '../../parts/problem.js';
import { looks } from '../../parts/status.js';
import { Notice } from '../../parts/notice.js';

interface BulkDialogProps {
  /** What the list shows: the dialog begins with it. */
  readonly filter: Readonly<Record<string, string>>;
  readonly onClose: () => void;
}

const statuses: readonly ResourceStatus[] = ['FAILED', 'CANCELLED', 'COMPLETED', 'PENDING'];

/** Has every resource of a type, or in a state, processed again. */
export default function BulkDialog({ filter, onClose }: BulkDialogProps): ReactElement {
  const { data: pipelines = [] } = usePipelines();
  const [type, setType] = useState(filter['type'] ?? '');
  const [status, setStatus] = useState<ResourceStatus | ''>(
    statuses.find((known) => known === filter['status']) ?? '',
  );
  // A repeated request is the same one as long as it asks for the same.
  const idempotencyKey = useMemo(() => `${newId()}-${type}-${status}`, [type, status]);
  const reprocess = useMutation({
    mutationFn: (bulk: BulkFilter) => reprocessMany(bulk, idempotencyKey),
    onSuccess: ({ count }) => {
      showDone(count === 0 ? 'Nothing matched' : `${plural(count, 'resource')} will be processed again`);
      onClose();
    },
  });
  const types = new Set([
    ...pipelines.map(({ trigger_type }) => trigger_type),
    ...(type === '' ? [] : [type]),
  ]);
  const bulk: BulkFilter = { ...(type !== '' && { type }), ...(status !== '' && { status }) };
  return (
    <Dialog onClose={onClose} title="Reprocess many">
      <Stack>
        <p className="dim">
          Every resource that matches, is not being processed and has a pipeline runs through it again from
          its first step.
        </p>
        <NativeSelect
          label="Type"
          data={[{ value: '', label: 'Any type' }, ...types]}
          value={type}
          onChange={(event) => setType(event.currentTarget.value)}
        />
        <NativeSelect
          label="Status"
          data={[
            { value: '', label: 'Any status' },
            ...statuses.map((known) => ({ value: known, label: looks[known].label })),
          ]}
          value={status}
          onChange={(event) => setStatus(event.currentTarget.value as ResourceStatus | '')}
        />
        {filter['q'] !== undefined && (
          <Notice tone="amber" title={`The search “${filter['q']}” does not count here`}>
            Only type and status do.
          </Notice>
        )}
        <Problem error={reprocess.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            loading={reprocess.isPending}
            disabled={type === '' && status === ''}
            onClick={() => reprocess.mutate(bulk)}
          >
            Reprocess
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
