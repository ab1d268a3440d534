import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import type { ReactElement, ReactNode } from 'react';
import classes from './notice.module.css';

interface NoticeProps {
  readonly tone: 'amber' | 'red';
  readonly title: string;
  readonly icon?: ReactNode;
  /** `alert` if it responds to something the user just did. */
  readonly role?: 'alert' | 'status';
  readonly children?: ReactNode;
}

/** Important information, shown where it matters. */
export function Notice({ tone, title, icon, role, children }: NoticeProps): ReactElement {
  const usual = tone === 'red' ? <IconAlertTriangle size={19} /> : <IconInfoCircle size={19} />;
  return (
    <div className={classes.notice} data-tone={tone} role={role}>
      <span className={classes.icon} aria-hidden>
        {icon ?? usual}
      </span>
      <div className={classes.body}>
        <p className={classes.title}>{title}</p>
        {children}
      </div>
    </div>
  );
}
