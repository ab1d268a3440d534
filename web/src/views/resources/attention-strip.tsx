import { IconAlertTriangle, IconHourglass } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { useFailures } from '../../api/operations.js';
import { useWaitingCount } from '../../api/resources.js';
import { formatCount, plural } from '../../parts/format.js';
import classes from './attention-strip.module.css';

/** Shows above the list that something needs attention, with a link to the causes. */
export function AttentionStrip(): ReactElement | null {
  const { data: failures = [] } = useFailures();
  const { data: waiting = 0 } = useWaitingCount();
  const failed = failures.reduce((sum, { count }) => sum + count, 0);
  if (failed === 0 && waiting === 0) return null;
  return (
    <aside className={classes.strip} aria-label="Needs attention">
      {failed > 0 && (
        <span className={classes.failed}>
          <IconAlertTriangle size={16} aria-hidden /> {formatCount(failed)} failed (
          {plural(failures.length, 'cause')})
        </span>
      )}
      {waiting > 0 && (
        <span className={classes.waiting}>
          <IconHourglass size={16} aria-hidden /> {formatCount(waiting)} waiting
        </span>
      )}
      <Link href="/overview">Show causes and what to do</Link>
    </aside>
  );
}
