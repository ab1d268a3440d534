import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { newestFirst } from './filter.js';
import classes from './resource-table.module.css';

interface SortableHeaderProps {
  readonly label: string;
  /** The field that the API sorts by. */
  readonly column: string;
  readonly sort: string;
  readonly onSort: (sort: string) => void;
}

/** A column header that sorts the list: ascending, descending, then in the default order again. */
export function SortableHeader({ label, column, sort, onSort }: SortableHeaderProps): ReactElement {
  const isDown = sort === `-${column}`;
  const isUp = sort === column;
  const next = isUp ? `-${column}` : isDown ? newestFirst : column;
  return (
    <th role="columnheader" scope="col" aria-sort={isUp ? 'ascending' : isDown ? 'descending' : undefined}>
      <button type="button" className={classes.sort} onClick={() => onSort(next)}>
        {label}
        {isUp && <IconArrowUp size={13} aria-hidden />}
        {isDown && <IconArrowDown size={13} aria-hidden />}
      </button>
    </th>
  );
}
