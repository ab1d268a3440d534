import { IconChevronLeft } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import classes from './back-link.module.css';

/** A link to the list that a view belongs to. */
export function BackLink({ to, children }: { readonly to: string; readonly children: string }): ReactElement {
  return (
    <Link href={to} className={classes.link ?? ''}>
      <IconChevronLeft size={15} aria-hidden />
      {children}
    </Link>
  );
}
