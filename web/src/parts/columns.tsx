import { Stack } from '@mantine/core';
import type { CSSProperties, ReactElement, ReactNode } from 'react';
import classes from './columns.module.css';

interface ColumnsProps {
  /** What stands beside, and below where there is no room. */
  readonly aside: ReactNode;
  /** In pixels. */
  readonly asideWidth: number;
  readonly children: ReactNode;
}

/** What a view is about, and what is known of it beside. */
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
