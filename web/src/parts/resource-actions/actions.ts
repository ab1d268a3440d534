import {
  IconEye,
  IconEyeOff,
  IconPencil,
  IconPlayerStop,
  IconPlayerTrackNext,
  IconRefresh,
  IconTrash,
  type Icon,
} from '@tabler/icons-react';
import type { ListedResource } from '@knowledge-warehouse/client';

export type ActionName = 'reprocess' | 'resume' | 'cancel' | 'enable' | 'disable' | 'rename' | 'delete';

export interface Action {
  readonly name: ActionName;
  readonly label: string;
  readonly Icon: Icon;
  /** Why it is not possible now; null if it is. */
  readonly refusal: string | null;
}

/** Returns the actions possible for a resource in its current state. */
export function actionsFor(resource: ListedResource): readonly Action[] {
  const { status, type, run, is_enabled, no_matching_pipeline, steps = [] } = resource;
  const isProcessing = status === 'PROCESSING';
  const stopped = status === 'CANCELLED' && steps.find((step) => step.status !== 'COMPLETED');
  const resumesFrom = status === 'FAILED' ? 'the failed step' : stopped && `step ${stopped.index + 1}`;
  const whileProcessing = isProcessing ? 'It is being processed: cancel the run first.' : null;
  return [
    {
      name: 'reprocess',
      label: run === 0 ? 'Process' : 'Reprocess',
      Icon: IconRefresh,
      refusal:
        whileProcessing ?? (no_matching_pipeline ? `No pipeline has the trigger type “${type}”.` : null),
    },
    ...(resumesFrom
      ? [
          {
            name: 'resume' as const,
            label: `Resume from ${resumesFrom}`,
            Icon: IconPlayerTrackNext,
            refusal: null,
          },
        ]
      : []),
    ...(isProcessing
      ? [{ name: 'cancel' as const, label: 'Cancel the run', Icon: IconPlayerStop, refusal: null }]
      : []),
    is_enabled
      ? { name: 'disable', label: 'Disable', Icon: IconEyeOff, refusal: null }
      : { name: 'enable', label: 'Enable', Icon: IconEye, refusal: null },
    { name: 'rename', label: 'Rename …', Icon: IconPencil, refusal: null },
    { name: 'delete', label: 'Delete …', Icon: IconTrash, refusal: whileProcessing },
  ];
}
