import { IconChevronRight } from '@tabler/icons-react';
import type { ReactElement, Ref } from 'react';
import { afterPair } from '../code-points.js';
import { formatCount } from '../format.js';
import { isLongText, type JsonRow } from './rows.js';
import classes from './json-tree.module.css';

interface JsonLineProps {
  /** Measures it as the row with this index. */
  readonly ref: Ref<HTMLDivElement>;
  readonly index: number;
  readonly id: string;
  readonly row: JsonRow;
  readonly isActive: boolean;
  readonly top: number;
  readonly onToggle: () => void;
}

export function JsonLine({ ref, index, id, row, isActive, top, onToggle }: JsonLineProps): ReactElement {
  const { depth, key, value, isOpen, place, siblings } = row;
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the tree handles the keys of all lines
    <div
      ref={ref}
      data-index={index}
      id={id}
      role="treeitem"
      aria-level={depth + 1}
      aria-expanded={isOpen ?? undefined}
      aria-setsize={siblings}
      aria-posinset={place}
      aria-selected={isActive}
      className={classes.line}
      data-active={isActive || undefined}
      style={{ transform: `translateY(${top}px)`, paddingLeft: 8 + depth * 18 }}
      onClick={onToggle}
    >
      <span className={classes.arrow} data-open={isOpen ?? undefined} aria-hidden>
        {isOpen !== null && <IconChevronRight size={14} stroke={2} />}
      </span>
      {key !== null && <span className={classes.key}>{key.replaceAll('~1', '/').replaceAll('~0', '~')}</span>}
      <Value value={value} isOpen={isOpen} isLine={key === null && depth > 0} />
    </div>
  );
}

interface ValueProps {
  readonly value: unknown;
  readonly isOpen: boolean | null;
  /** It is one line of a long text. */
  readonly isLine: boolean;
}

function Value({ value, isOpen, isLine }: ValueProps): ReactElement {
  if (Array.isArray(value)) return <span className={classes.count}>[{formatCount(value.length)}]</span>;
  if (typeof value === 'object' && value !== null) {
    return <span className={classes.count}>{`{${formatCount(Object.keys(value).length)}}`}</span>;
  }
  if (isLongText(value)) {
    const size = <span className={classes.count}>{formatCount(value.length)} characters</span>;
    if (isOpen === true) return size;
    return (
      <>
        <span className={classes.string}>
          “{value.slice(0, afterPair(value, 100)).replaceAll('\n', ' ')} …”
        </span>{' '}
        {size}
      </>
    );
  }
  if (typeof value === 'string')
    return <span className={classes.string}>{isLine ? value : `“${value}”`}</span>;
  return <span className={classes.literal}>{String(value)}</span>;
}
