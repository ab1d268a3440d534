import { VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import type { ListedResource } from '@knowledge-warehouse/client';
import { newestFirst } from './filter.js';
import { ResourceRows } from './resource-rows.js';
import { SelectBox } from './select-box.js';
import type { Selection } from './selection.js';
import classes from './resource-table.module.css';

interface ResourceTableProps {
  readonly resources: readonly ListedResource[];
  /** The rows are those of the previous query. */
  readonly isStale: boolean;
  readonly sort: string;
  readonly selection: Selection;
  readonly onSort: (sort: string) => void;
}

/**
 * The list as a table; on a phone, a card for each row. Roles are explicit, because some browsers drop table semantics
 * when the layout changes.
 */
export function ResourceTable(props: ResourceTableProps): ReactElement {
  const { resources, isStale, sort, selection, onSort } = props;
  return (
    <div className={classes.frame} data-stale={isStale || undefined} aria-busy={isStale}>
      <table
        className={classes.table}
        role="table"
        aria-label="Resources"
        aria-rowcount={resources.length + 1}
      >
        <thead role="rowgroup" className={classes.head}>
          <tr role="row">
            <th role="columnheader" scope="col">
              <SelectBox
                label="Select all on this page"
                isChecked={selection.isPageSelected}
                isPartial={selection.isPagePartial}
                onChange={selection.togglePage}
              />
            </th>
            <SortableHeader label="Name" column="name" sort={sort} onSort={onSort} />
            <th role="columnheader" scope="col">
              Status
            </th>
            <th role="columnheader" scope="col">
              Steps
            </th>
            <SortableHeader label="Changed" column="updated_at" sort={sort} onSort={onSort} />
            <th role="columnheader" scope="col">
              <VisuallyHidden>Actions</VisuallyHidden>
            </th>
          </tr>
        </thead>
        <ResourceRows resources={resources} ids={selection.ids} onToggle={selection.toggle} />
      </table>
    </div>
  );
}

interface SortableHeaderProps {
  readonly label: string;
  /** The field that the API sorts by. */
  readonly column: string;
  readonly sort: string;
  readonly onSort: (sort: string) => void;
}

/** A column header that sorts the list: ascending, descending, then in the default order again. */
function SortableHeader({ label, column, sort, onSort }: SortableHeaderProps): ReactElement {
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
