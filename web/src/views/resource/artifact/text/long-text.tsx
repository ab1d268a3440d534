import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState, type ReactElement } from 'react';
import { groupByPiece, type Match } from './find.js';
import { FindBar } from './find-bar.js';
import { MarkedText } from './marked-text.js';
import { toPieces } from './text-lines.js';
import { useFind } from './use-find.js';
import classes from './long-text.module.css';

/** Characters. Shorter texts are rendered completely, so that the browser's own search works. */
const longestWhole = 100_000;

interface ShownText {
  readonly pieces: readonly string[];
  readonly matches: readonly Match[];
  readonly current: Match | undefined;
  readonly wraps: boolean;
}

/** A plain text of any length with search. Of a long text, only the visible part is rendered. */
export function LongText({ text }: { readonly text: string }): ReactElement {
  const isWhole = text.length <= longestWhole;
  const pieces = useMemo(() => (isWhole ? [text] : toPieces(text)), [isWhole, text]);
  const [wraps, setWraps] = useState(true);
  // A long text is not searched on every keystroke.
  const find = useFind(pieces, isWhole ? 0 : 150);
  const shown: ShownText = { pieces, matches: find.matches, current: find.current, wraps };
  return (
    <>
      <FindBar find={find} wraps={wraps} onWraps={setWraps} />
      {isWhole ? <WholeText {...shown} /> : <VirtualText {...shown} />}
    </>
  );
}

const showCurrent = (pane: HTMLElement | null): void =>
  pane?.querySelector('[data-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });

function WholeText({ pieces: [text = ''], matches, current, wraps }: ShownText): ReactElement {
  const pane = useRef<HTMLPreElement>(null);
  useEffect(() => {
    if (current !== undefined) showCurrent(pane.current);
  }, [current]);
  return (
    <pre
      ref={pane}
      className={classes.text}
      data-wraps={wraps}
      dir="auto"
      tabIndex={0}
      role="region"
      aria-label="Text"
    >
      <MarkedText text={text} matches={matches} current={current} />
    </pre>
  );
}

function VirtualText({ pieces, matches, current, wraps }: ShownText): ReactElement {
  const pane = useRef<HTMLDivElement>(null);
  const byPiece = useMemo(() => groupByPiece(matches), [matches]);
  const rows = useVirtualizer({
    count: pieces.length,
    getScrollElement: () => pane.current,
    estimateSize: () => 21,
    overscan: 20,
  });
  // The line heights have changed.
  useEffect(() => rows.measure(), [rows, wraps]);
  useEffect(() => {
    if (current === undefined) return undefined;
    rows.scrollToIndex(current.piece, { align: 'center' });
    // The piece may be rendered only now.
    const frame = requestAnimationFrame(() => showCurrent(pane.current));
    return () => cancelAnimationFrame(frame);
  }, [rows, current]);
  return (
    <div ref={pane} className={classes.text} data-wraps={wraps} tabIndex={0} role="region" aria-label="Text">
      <div className={classes.space} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const piece = pieces[index] ?? '';
          return (
            <div
              key={index}
              ref={rows.measureElement}
              data-index={index}
              className={classes.piece}
              dir="auto"
              style={{ transform: `translateY(${start}px)` }}
            >
              <MarkedText text={piece} matches={byPiece.get(index) ?? []} current={current} />
              {/* An empty last line has a height only with a character. */}
              {(piece === '' || piece.endsWith('\n')) && '\u00a0'}
            </div>
          );
        })}
      </div>
    </div>
  );
}
