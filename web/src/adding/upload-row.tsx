import { Button } from '@mantine/core';
import { IconAlertCircle, IconBan, IconCircleCheck, IconCircleDashed, IconUpload } from '@tabler/icons-react';
import { memo, type ReactElement } from 'react';
import { Link } from 'wouter';
import { explain } from '../parts/messages/explain.js';
import { formatBytes } from '../parts/format.js';
import { canRetry, isUnderWay, isUnreadable, isWhollySent, type QueueItem } from '../uploads/upload-queue.js';
import { useUploadQueue } from '../uploads/uploads.js';
import classes from './upload-list.module.css';

const icons = {
  waiting: IconCircleDashed,
  sending: IconUpload,
  done: IconCircleCheck,
  failed: IconAlertCircle,
  cancelled: IconBan,
} as const;

const unreadable = { title: 'The file cannot be read', text: 'It was changed or removed: choose it again.' };

interface UploadRowProps {
  readonly item: QueueItem;
  /** Called when the user opens the resource. */
  readonly onOpen: () => void;
}

/** One item of the list. It is drawn again only when it changes: others report their progress many times a second. */
export const UploadRow = memo(({ item, onOpen }: UploadRowProps): ReactElement => {
  const queue = useUploadQueue();
  const { id, name, state } = item;
  const Icon = icons[state.kind];
  return (
    <li className={classes.row}>
      <Icon size={18} stroke={1.7} aria-hidden />
      <div>
        {state.kind === 'done' ? (
          <Link href={`/resources/${state.resourceId}`} className={classes.name ?? ''} onClick={onOpen}>
            {name}
          </Link>
        ) : (
          <span className={classes.name} dir="auto">
            {name}
          </span>
        )}
        <Progress item={item} />
      </div>
      {isUnderWay(item) && (
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={() => queue.cancel(id)}
          aria-label={`Cancel ${name}`}
        >
          Cancel
        </Button>
      )}
      {canRetry(item) && (
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={() => queue.retry(id)}
          aria-label={`Try ${name} again`}
        >
          Try again
        </Button>
      )}
    </li>
  );
});

function Progress({ item }: { readonly item: QueueItem }): ReactElement {
  const { name, state, source } = item;
  switch (state.kind) {
    case 'sending': {
      if (state.isHeld === true)
        return <span className={classes.note}>Waiting until the server can be reached</span>;
      if (source.kind === 'URL') return <span className={classes.note}>Adding …</span>;
      const { size } = source.file;
      const percent = size === 0 ? 0 : Math.round((state.sentBytes / size) * 100);
      return (
        <>
          <span className={`${classes.note ?? ''} tabular`}>
            {isWhollySent(item) ? 'Storing …' : `${formatBytes(state.sentBytes)} of ${formatBytes(size)}`}
          </span>
          <div
            className={classes.bar}
            role="progressbar"
            aria-label={`Upload of ${name}`}
            aria-valuenow={percent}
            aria-valuemin={0}
            aria-valuemax={100}
          >
            <div className={classes.fill} style={{ width: `${percent}%` }} />
          </div>
        </>
      );
    }
    case 'failed': {
      const { title, text } = isUnreadable(item) ? unreadable : explain(state.error);
      return (
        <span className={classes.note} data-bad>
          {title}: {text}
        </span>
      );
    }
    case 'waiting':
      return <span className={classes.note}>Waiting</span>;
    case 'cancelled':
      return (
        <span className={classes.note}>
          {state.mayBeAdded ? 'Cancelled after it was sent: it may have been added' : 'Cancelled'}
        </span>
      );
    case 'done':
      return <span className={classes.note}>Added</span>;
  }
}
