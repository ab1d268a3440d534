import {
  IconEye,
  IconEyeOff,
  IconPlayerStop,
  IconPlayerTrackNext,
  IconRefresh,
  IconTags,
  IconTrash,
  type Icon,
} from '@tabler/icons-react';
import type { NewOperation } from '@knowledge-warehouse/client';

/** An action for many resources at once. */
export interface BulkAction {
  readonly name: string;
  readonly label: string;
  readonly Icon: Icon;
  readonly isDangerous?: boolean;
  /** Its label while it runs, and afterwards. */
  readonly doing: string;
  readonly done: string;
  /** What happens to each resource. */
  readonly explanation: string;
  readonly request: Pick<NewOperation, 'action' | 'from_step'>;
}

export const bulkActions: readonly BulkAction[] = [
  {
    name: 'resume',
    label: 'Resume',
    Icon: IconPlayerTrackNext,
    doing: 'Resuming',
    done: 'resumed',
    explanation: 'Each resource continues its last run from the step that did not complete.',
    request: { action: 'reprocess', from_step: 'failed' },
  },
  {
    name: 'reprocess',
    label: 'Reprocess',
    Icon: IconRefresh,
    doing: 'Reprocessing',
    done: 'being reprocessed',
    explanation: 'Each resource goes through its pipeline again, from the first step.',
    request: { action: 'reprocess' },
  },
  {
    name: 'cancel',
    label: 'Cancel the runs',
    Icon: IconPlayerStop,
    doing: 'Cancelling',
    done: 'being cancelled',
    explanation: 'Active runs stop. Existing artifacts stay.',
    request: { action: 'cancel' },
  },
  {
    name: 'enable',
    label: 'Enable',
    Icon: IconEye,
    doing: 'Enabling',
    done: 'enabled',
    explanation: 'Language models and searches find them.',
    request: { action: 'enable' },
  },
  {
    name: 'disable',
    label: 'Disable',
    Icon: IconEyeOff,
    doing: 'Disabling',
    done: 'disabled',
    explanation: 'Language models and searches no longer find them.',
    request: { action: 'disable' },
  },
  {
    name: 'set-metadata',
    label: 'Set metadata …',
    Icon: IconTags,
    doing: 'Setting the metadata',
    done: 'updated',
    explanation: 'Each resource keeps its other metadata.',
    request: { action: 'set_metadata' },
  },
  {
    name: 'delete',
    label: 'Delete …',
    Icon: IconTrash,
    isDangerous: true,
    doing: 'Deleting',
    done: 'deleted',
    explanation: 'Sources, artifacts and vectors are removed. This cannot be undone.',
    request: { action: 'delete' },
  },
];

/** Actions that can be undone, and how. */
export const inverseOf: Readonly<Record<string, string>> = { enable: 'disable', disable: 'enable' };
