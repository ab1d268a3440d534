import { useEffect, useRef, type ReactElement, type ReactNode } from 'react';
import { PageTitle } from './page-title.js';
import classes from './page-header.module.css';

interface PageHeaderProps {
  readonly title: string;
  /** A back link above the title. */
  readonly back?: ReactNode;
  /** The state, next to the title. */
  readonly state?: ReactNode;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
}

let isFirstView = true;

/** The heading of a view. It takes the focus when the view opens, so that a screen reader announces the view. */
export function PageHeader({ title, back, state, description, actions }: PageHeaderProps): ReactElement {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // Skip the very first view, which is read from the top, and keep focus that something else took.
    if (!isFirstView && document.activeElement === document.body)
      heading.current?.focus({ preventScroll: true });
    isFirstView = false;
  }, []);
  return (
    <div className={classes.header}>
      <PageTitle>{title}</PageTitle>
      {back !== undefined && <div className={classes.back}>{back}</div>}
      <div className={classes.row}>
        <div className={classes.what}>
          <div className={classes.heading}>
            <h1 ref={heading} tabIndex={-1} dir="auto">
              {title}
            </h1>
            {state}
          </div>
          {description !== undefined && <div className={classes.description}>{description}</div>}
        </div>
        {actions !== undefined && <div className={classes.actions}>{actions}</div>}
      </div>
    </div>
  );
}
