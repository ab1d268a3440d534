import type { ReactElement, ReactNode } from 'react';
import classes from './empty-state.module.css';

interface EmptyStateProps {
  readonly title: string;
  readonly icon?: ReactNode;
  readonly action?: ReactNode;
  /** It fills the whole view. */
  readonly isWholeView?: boolean;
  /** What to do next. */
  readonly children?: ReactNode;
}

/** Shown in place of missing content. */
export function EmptyState(props: EmptyStateProps): ReactElement {
  const { title, icon, action, isWholeView = false, children } = props;
  const Heading = isWholeView ? 'h1' : 'h2';
  return (
    <div className={classes.empty}>
      {icon !== undefined && (
        <div className={classes.icon} aria-hidden>
          {icon}
        </div>
      )}
      <Heading className={classes.title}>{title}</Heading>
      {children !== undefined && <p className={classes.text}>{children}</p>}
      {action !== undefined && <div className={classes.action}>{action}</div>}
    </div>
  );
}
