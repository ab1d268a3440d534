import type { ReactElement, ReactNode } from 'react';
import { Link } from 'wouter';
import classes from './link-card.module.css';

interface LinkCardProps {
  /** The class for its layout and padding. */
  readonly className: string | undefined;
  readonly isInactive?: boolean;
  readonly children: ReactNode;
}

/** An entry of a list. All of it links to the target of its `CardLink`. */
export function LinkCard({ className, isInactive = false, children }: LinkCardProps): ReactElement {
  return (
    <li
      className={[classes.card, className].filter(Boolean).join(' ')}
      data-inactive={isInactive || undefined}
    >
      {children}
    </li>
  );
}

export function CardLink({
  href,
  children,
}: {
  readonly href: string;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <Link href={href} className={classes.link ?? ''}>
      {children}
    </Link>
  );
}
