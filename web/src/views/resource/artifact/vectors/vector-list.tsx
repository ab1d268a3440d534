import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useId, useRef, type KeyboardEvent, type ReactElement } from 'react';
import { rowEstimate } from '../../../../parts/row-estimate.js';
import type { ShownChunk } from '../chunks/read-chunks.js';
import classes from './vector-content.module.css';

interface VectorListProps {
  readonly rows: readonly Float32Array[];
  readonly count: number;
  readonly chunks: readonly ShownChunk[] | null;
  readonly chosen: number;
  readonly onChoose: (row: number) => void;
}

const rowHeight = 50;
const page = 10;

/** Returns the row that a key selects, or null for keys without effect. */
function target(key: string, row: number, count: number): number | null {
  const moves: Readonly<Record<string, number>> = {
    ArrowUp: row - 1,
    ArrowDown: row + 1,
    PageUp: row - page,
    PageDown: row + page,
    Home: 0,
    End: count - 1,
  };
  const to = moves[key];
  return to === undefined ? null : Math.min(Math.max(to, 0), count - 1);
}

/** All vectors of an artifact with the beginning of their chunk or their first values. Arrow keys select one. */
export function VectorList({ rows, count, chunks, chosen, onChoose }: VectorListProps): ReactElement {
  const id = useId();
  const pane = useRef<HTMLDivElement>(null);
  const lines = useVirtualizer({
    count,
    getScrollElement: () => pane.current,
    estimateSize: () => rowEstimate(rowHeight, count),
    overscan: 8,
  });
  // Rows arrive gradually.
  const isThere = chosen < count;
  useEffect(() => {
    if (isThere) lines.scrollToIndex(chosen, { align: 'auto' });
  }, [lines, chosen, isThere]);
  const press = (event: KeyboardEvent): void => {
    const to = target(event.key, chosen, count);
    if (to === null) return;
    event.preventDefault();
    onChoose(to);
  };
  return (
    <div
      ref={pane}
      className={classes.list}
      role="listbox"
      aria-label="Vectors"
      tabIndex={0}
      aria-activedescendant={`${id}-${chosen}`}
      onKeyDown={press}
    >
      <div className={classes.space} role="presentation" style={{ height: lines.getTotalSize() }}>
        {lines.getVirtualItems().map(({ index, start }) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the list handles the keys of all rows
          <div
            key={index}
            ref={lines.measureElement}
            data-index={index}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === chosen}
            aria-setsize={count}
            aria-posinset={index + 1}
            className={classes.row}
            style={{ transform: `translateY(${start}px)` }}
            onClick={() => onChoose(index)}
          >
            <span className="dim tabular">{index}</span>
            <span className={classes.excerpt} dir="auto">
              {chunks?.[index]?.text.slice(0, 200) ?? describe(rows[index])}
            </span>
          </div>
        ))}
      </div>
    </div>
  );
}

const describe = (vector: Float32Array | undefined): string =>
  vector === undefined
    ? ''
    : Array.from(vector.subarray(0, 6), (value) =>
        value.toLocaleString('en', { maximumSignificantDigits: 3 }),
      ).join('  ');
