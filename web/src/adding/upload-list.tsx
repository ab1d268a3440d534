import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import { Announce } from '../parts/messages/announce.js';
import { formatCount, plural } from '../parts/format.js';
import { canRetry, isUnderWay, type QueueItem } from '../uploads/upload-queue.js';
import { useUploadItems, useUploadQueue } from '../uploads/uploads.js';
import { UploadRow } from './upload-row.js';
import classes from './upload-list.module.css';

/** The maximum number of rows shown. More would make the page slow. */
export const mostRows = 200;

/** Lists the items added since the page was opened, until it is cleared. */
export function UploadList({ onClose }: { readonly onClose: () => void }): ReactElement | null {
  const queue = useUploadQueue();
  const items = useUploadItems();
  if (items.length === 0) return null;
  const left = items.filter(isUnderWay).length;
  const count = (kind: QueueItem['state']['kind']): number =>
    items.filter(({ state }) => state.kind === kind).length;
  const [done, failed, cancelled] = [count('done'), count('failed'), count('cancelled')];
  const retryable = items.filter((item) => item.state.kind === 'failed' && canRetry(item)).length;
  const notAdded = [
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(cancelled > 0 ? [`${cancelled} cancelled`] : []),
  ];
  const summary = [
    ...(left > 0 ? [`${left} to go`] : []),
    ...(done > 0 ? [`${done} added`] : []),
    ...notAdded,
  ].join(', ');
  // In a long list, what has ended comes after what is under way.
  const rank = (item: QueueItem): number => {
    if (item.state.kind === 'failed') return 0;
    return items.length > mostRows && !isUnderWay(item) ? 2 : 1;
  };
  const outcome = [...(done > 0 ? [`${plural(done, 'resource')} added`] : []), ...notAdded].join(', ');
  return (
    <section className={classes.section} aria-labelledby="uploads-title">
      <div className={classes.head}>
        <h3 id="uploads-title">{summary}</h3>
        {retryable > 1 && (
          <Button variant="light" size="compact-sm" onClick={queue.retryAll}>
            Retry all {retryable}
          </Button>
        )}
        {left < items.length && (
          <Button variant="subtle" size="compact-sm" onClick={queue.clear}>
            Clear finished
          </Button>
        )}
      </div>
      <Announce>{left === 0 ? outcome : ''}</Announce>
      <ul className={classes.list}>
        {items
          .toSorted((one, other) => rank(one) - rank(other))
          .slice(0, mostRows)
          .map((item) => (
            <UploadRow key={item.id} item={item} onOpen={onClose} />
          ))}
        {items.length > mostRows && (
          <li className="dim small">{formatCount(items.length - mostRows)} more</li>
        )}
      </ul>
    </section>
  );
}
