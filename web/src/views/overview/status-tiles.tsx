import type { ReactElement } from 'react';
import { Link } from 'wouter';
import type { Statistics } from '@knowledge-warehouse/client';
import { formatCount } from '../../parts/format.js';
import { looks, resourceStatuses } from '../../parts/status/status.js';
import classes from './status-tiles.module.css';

/** The number of resources in each status, with links to them. */
export function StatusTiles({ counts }: { readonly counts: Statistics['resources'] }): ReactElement {
  return (
    <ul className={classes.tiles} aria-label="Resources by status">
      {resourceStatuses.map((status) => {
        const { label, Icon, tone } = looks[status];
        return (
          <li key={status}>
            <Link href={`/resources?status=${status}`} className={classes.tile ?? ''} data-tone={tone}>
              <span className={classes.label}>
                <Icon size={17} stroke={1.8} aria-hidden />
                {label}
              </span>
              <span className={classes.count}>{formatCount(counts[status])}</span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
