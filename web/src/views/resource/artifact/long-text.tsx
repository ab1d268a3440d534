import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, type ReactElement } from 'react';
import { toPieces } from './text-lines.js';
import classes from './long-text.module.css';

/** Characters. Shorter texts are there as a whole, so that the browser's own search finds everything. */
const longestWhole = 100_000;

/** A plain text of any length: of a long one, only what is in sight is there. */
export function LongText({ text }: { readonly text: string }): ReactElement {
  return text.length <= longestWhole ? (
    <pre className={classes.text} dir="auto" tabIndex={0} role="region" aria-label="Text">
      {text}
    </pre>
  ) : (
    <VirtualText text={text} />
  );
}

function VirtualText({ text }: { readonly text: string }): ReactElement {
  const pane = useRef<HTMLDivElement>(null);
  const pieces = useMemo(() => toPieces(text), [text]);
  const rows = useVirtualizer({
    count: pieces.length,
    getScrollElement: () => pane.current,
    estimateSize: () => 21,
    overscan: 20,
  });
  return (
    <div ref={pane} className={classes.text} tabIndex={0} role="region" aria-label="Text">
      <div className={classes.space} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => (
          <div
            key={index}
            ref={rows.measureElement}
            data-index={index}
            className={classes.piece}
            dir="auto"
            style={{ transform: `translateY(${start}px)` }}
          >
            {pieces[index] === '' ? '\u00a0' : pieces[index]}
          </div>
        ))}
      </div>
    </div>
  );
}
