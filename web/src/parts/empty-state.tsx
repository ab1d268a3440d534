import type { ReactElement, ReactNode } from 'react';
import classes from './empty-state.module.css';

interface EmptyStateProps {
  readonly title: string;
  readonly icon?: ReactNode;
  readonly action?: ReactNode;
  /** What to do next. */
  readonly children?: ReactNode;
}

/** In place of what is not there. */
export function EmptyState({ title, icon, action, children }: EmptyStateProps): ReactElement {
  return (
    <div className={classes.empty}>
      {icon !== undefined && (
        <div className={classes.icon} aria-hidden>
          {icon}
        </div>
      )}
      <h2 className={classes.title}>{title}</h2>
      {children !== undefined && <p className={classes.text}>{children}</p>}
      {action !== undefined && <div className={classes.action}>{action}</div>}
    </div>
  );
}
