import type { ReactElement } from 'react';
import { looks, type Status } from './status.js';
import classes from './status-badge.module.css';

export function StatusBadge({ status }: { readonly status: Status }): ReactElement {
  const { label, Icon, tone } = looks[status];
  const isTurning = status === 'PROCESSING' || status === 'RUNNING';
  return (
    <span className={classes.badge} data-tone={tone}>
      <Icon size={14} stroke={2} aria-hidden className={isTurning ? classes.turning : undefined} />
      {label}
    </span>
  );
}
