import { Skeleton } from '@mantine/core';
import type { ReactElement } from 'react';
import classes from './list-skeleton.module.css';

/** A placeholder for a list that is loading. */
export function ListSkeleton({ label }: { readonly label: string }): ReactElement {
  return (
    <div className={classes.list} role="status" aria-label={label}>
      {Array.from({ length: 8 }, (_row, index) => (
        <div key={index} className={classes.row} aria-hidden>
          <Skeleton height={14} width={`${30 + ((index * 17) % 35)}%`} />
          <Skeleton height={10} width="18%" mt={8} />
        </div>
      ))}
    </div>
  );
}
