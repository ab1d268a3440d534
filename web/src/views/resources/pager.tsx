import { NativeSelect } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconChevronsLeft } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { SmallButton } from '../../parts/actions/small-button.js';
import { formatCount } from '../../parts/format.js';
import { pageSizes, type Changes } from './filter.js';
import classes from './pager.module.css';

interface PagerProps {
  readonly count: number;
  /** The total number of matches; null if unknown. */
  readonly total: string | null;
  readonly limit: number;
  readonly cursor: string | null;
  readonly nextCursor: string | null;
  readonly onChange: (changes: Changes) => void;
}

/** Pages of a list: the next and the first one. The browser's Back returns to the previous one. */
export function Pager({ count, total, limit, cursor, nextCursor, onChange }: PagerProps): ReactElement {
  const goTo = (next: string): void => {
    // First the address, so that the browser keeps this page's place for Back.
    onChange({ cursor: next });
    window.scrollTo(0, 0);
  };
  return (
    <nav className={classes.pager} aria-label="Pages">
      <span className="dim small">
        {total === null ? `${formatCount(count)} shown` : `${formatCount(count)} of ${total}`}
      </span>
      <NativeSelect
        size="xs"
        aria-label="Page size"
        data={pageSizes.map((size) => ({ value: String(size), label: `${formatCount(size)} per page` }))}
        value={String(limit)}
        onChange={(event) =>
          onChange({
            limit: event.currentTarget.value === String(pageSizes[0]) ? '' : event.currentTarget.value,
          })
        }
      />
      <div className={classes.buttons}>
        {cursor !== null && (
          <>
            <SmallButton Icon={IconChevronsLeft} onClick={() => goTo('')}>
              First
            </SmallButton>
            <SmallButton Icon={IconChevronLeft} onClick={() => window.history.back()}>
              Back
            </SmallButton>
          </>
        )}
        {nextCursor !== null && (
          <SmallButton Icon={IconChevronRight} isOnwards onClick={() => goTo(nextCursor)}>
            Next
          </SmallButton>
        )}
      </div>
    </nav>
  );
}
