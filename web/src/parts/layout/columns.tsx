import { Stack } from '@mantine/core';
import type { CSSProperties, ReactElement, ReactNode } from 'react';
import classes from './columns.module.css';

interface ColumnsProps {
  /** The side column, shown below if there is no room. */
  readonly aside: ReactNode;
  /** In pixels. */
  readonly asideWidth: number;
  readonly children: ReactNode;
}

/** A view's main content with a side column. */
export function Columns({ aside, asideWidth, children }: ColumnsProps): ReactElement {
  return (
    <div className={classes.columns} style={{ '--aside': `${asideWidth}px` } as CSSProperties}>
      <Stack gap="md" className={classes.main}>
        {children}
      </Stack>
      {aside}
    </div>
  );
}
