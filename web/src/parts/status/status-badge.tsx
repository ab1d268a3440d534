import type { ReactElement } from 'react';
import { IconHourglass } from '@tabler/icons-react';
import { looks, type Status } from './status.js';
import classes from './status-badge.module.css';

interface StatusBadgeProps {
  readonly status: Status;
  /** Processing is blocked until something happens. */
  readonly isWaiting?: boolean;
}

const waiting = { label: 'Waiting', Icon: IconHourglass, tone: 'amber' } as const;

export function StatusBadge({ status, isWaiting = false }: StatusBadgeProps): ReactElement {
  const { label, Icon, tone } = isWaiting ? waiting : looks[status];
  const isTurning = !isWaiting && (status === 'PROCESSING' || status === 'RUNNING');
  return (
    <span className={classes.badge} data-tone={tone}>
      <Icon size={14} stroke={2} aria-hidden className={isTurning ? classes.turning : undefined} />
      {label}
    </span>
  );
}
