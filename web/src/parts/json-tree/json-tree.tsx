import { useVirtualizer } from '@tanstack/react-virtual';
import { useId, useMemo, useRef, useState, type KeyboardEvent, type ReactElement } from 'react';
import { JsonLine } from './json-line.js';
import { move } from './move.js';
import { openAtFirst, toRows } from './rows.js';
import { rowEstimate } from '../row-estimate.js';
import classes from './json-tree.module.css';

interface JsonTreeProps {
  readonly value: unknown;
  readonly label: string;
  readonly className?: string | undefined;
}

const rowHeight = 24;

/**
 * JSON as a tree of any size, which renders only visible lines. Arrow keys move, expand and collapse as in other trees.
 */
export function JsonTree({ value, label, className = '' }: JsonTreeProps): ReactElement {
  const id = useId();
  const pane = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(() => openAtFirst(value));
  const [active, setActive] = useState(0);
  const rows = useMemo(() => toRows(value, open), [value, open]);
  const lines = useVirtualizer({
    count: rows.length,
    getScrollElement: () => pane.current,
    estimateSize: () => rowEstimate(rowHeight, rows.length),
    overscan: 12,
    paddingStart: 8,
    paddingEnd: 8,
  });

  const setOpened = (path: string, isOpen: boolean): void => {
    const next = new Set(open);
    if (isOpen) next.add(path);
    else next.delete(path);
    setOpen(next);
  };
  const press = (event: KeyboardEvent): void => {
    const step = move(rows, Math.min(active, rows.length - 1), event.key);
    if (step === null) return;
    event.preventDefault();
    if (step.kind === 'go') {
      setActive(step.to);
      lines.scrollToIndex(step.to);
    } else setOpened(step.path, step.kind === 'open');
  };

  return (
    <div
      ref={pane}
      className={`${classes.tree} ${className}`}
      role="tree"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={`${id}-${active}`}
      onKeyDown={press}
    >
      <div className={classes.space} role="presentation" style={{ height: lines.getTotalSize() }}>
        {lines.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          return (
            row !== undefined && (
              <JsonLine
                key={row.path}
                ref={lines.measureElement}
                index={index}
                id={`${id}-${index}`}
                row={row}
                isActive={index === active}
                top={start}
                onToggle={() => {
                  setActive(index);
                  if (row.isOpen !== null) setOpened(row.path, !row.isOpen);
                }}
              />
            )
          );
        })}
      </div>
    </div>
  );
}
