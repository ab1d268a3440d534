import {
  IconAlertCircle,
  IconBan,
  IconCircleCheck,
  IconCircleDashed,
  IconLoader2,
  IconRefreshAlert,
  type Icon,
} from '@tabler/icons-react';
import type { ResourceStatus, StepStatus } from '@knowledge-warehouse/client';

export type Status = ResourceStatus | StepStatus;

interface Look {
  readonly label: string;
  readonly Icon: Icon;
  readonly tone: 'green' | 'blue' | 'red' | 'amber' | 'grey';
}

/** The look of each status, with its own shape in addition to its colour. */
export const looks: Readonly<Record<Status, Look>> = {
  PENDING: { label: 'Pending', Icon: IconCircleDashed, tone: 'grey' },
  PROCESSING: { label: 'Processing', Icon: IconLoader2, tone: 'blue' },
  RUNNING: { label: 'Running', Icon: IconLoader2, tone: 'blue' },
  RETRYING: { label: 'Retrying', Icon: IconRefreshAlert, tone: 'amber' },
  COMPLETED: { label: 'Completed', Icon: IconCircleCheck, tone: 'green' },
  FAILED: { label: 'Failed', Icon: IconAlertCircle, tone: 'red' },
  CANCELLED: { label: 'Cancelled', Icon: IconBan, tone: 'grey' },
};

export const resourceStatuses: readonly ResourceStatus[] = [
  'PROCESSING',
  'COMPLETED',
  'FAILED',
  'PENDING',
  'CANCELLED',
];
