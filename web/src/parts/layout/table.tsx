import type { ReactElement, ReactNode } from 'react';
import tables from './table.module.css';

interface TableProps {
  /** Names the region that scrolls. */
  readonly label: string;
  readonly columns: readonly string[];
  /** Other styles than the usual ones; must have `frame`, which scrolls, and `table`. */
  readonly classes?: CSSModuleClasses;
  /** The rows. */
  readonly children: ReactNode;
}

/** A table that scrolls, also with the keyboard, where it does not fit. */
export function Table({ label, columns, classes = tables, children }: TableProps): ReactElement {
  return (
    <div className={classes.frame} tabIndex={0} role="region" aria-label={label}>
      <table className={classes.table}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
