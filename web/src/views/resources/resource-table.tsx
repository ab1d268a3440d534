import { memo, type ReactElement } from 'react';
import type { ListedResource } from '@knowledge-warehouse/client';
import { ResourceRow } from './resource-row.js';
import classes from './resource-table.module.css';

interface ResourceTableProps {
  readonly resources: readonly ListedResource[];
  /** The rows are those of the question before this one. */
  readonly isStale: boolean;
}

/**
 * The list; on a phone a card for each. Roles are said though tables have them: some browsers forget a table's once its
 * parts are laid out otherwise.
 */
export function ResourceTable({ resources, isStale }: ResourceTableProps): ReactElement {
  return (
    <div className={classes.frame} data-stale={isStale || undefined} aria-busy={isStale}>
      <table className={classes.table} role="table" aria-label="Resources">
        <thead role="rowgroup" className={classes.head}>
          <tr role="row">
            <th role="columnheader" scope="col">
              Name
            </th>
            <th role="columnheader" scope="col">
              Status
            </th>
            <th role="columnheader" scope="col">
              Steps
            </th>
            <th role="columnheader" scope="col">
              Changed
            </th>
            <th role="columnheader" scope="col">
              <span className={classes.hidden}>Actions</span>
            </th>
          </tr>
        </thead>
        <Rows resources={resources} />
      </table>
    </div>
  );
}

const Rows = memo(function Rows({ resources }: Pick<ResourceTableProps, 'resources'>): ReactElement {
  return (
    <tbody role="rowgroup">
      {resources.map((resource) => (
        <ResourceRow key={resource.id} resource={resource} />
      ))}
    </tbody>
  );
});
