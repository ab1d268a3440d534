import { Button } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconChevronsLeft } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import classes from './pager.module.css';

interface PagerProps {
  readonly count: number;
  readonly cursor: string | null;
  readonly nextCursor: string | null;
  readonly onPage: (cursor: string) => void;
}

/** Lists are paged by where a page begins: on, back by the browser's own way, and to the newest. */
export function Pager({ count, cursor, nextCursor, onPage }: PagerProps): ReactElement | null {
  if (cursor === null && nextCursor === null) return null;
  return (
    <nav className={classes.pager} aria-label="Pages">
      <span className="dim small">
        {count} shown{nextCursor === null ? ', these are the oldest' : ''}
      </span>
      <div className={classes.buttons}>
        {cursor !== null && (
          <>
            <Button
              variant="default"
              size="xs"
              leftSection={<IconChevronsLeft size={15} aria-hidden />}
              onClick={() => onPage('')}
            >
              Newest
            </Button>
            <Button
              variant="default"
              size="xs"
              leftSection={<IconChevronLeft size={15} aria-hidden />}
              onClick={() => window.history.back()}
            >
              Back
            </Button>
          </>
        )}
        {nextCursor !== null && (
          <Button
            variant="default"
            size="xs"
            rightSection={<IconChevronRight size={15} aria-hidden />}
            onClick={() => onPage(nextCursor)}
          >
            Older
          </Button>
        )}
      </div>
    </nav>
  );
}
