import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, type ReactElement } from 'react';
import { formatCount, plural } from '../../../parts/format.js';
import { describePlace } from '../../../parts/place.js';
import { ContentTools } from './content-tools.js';
import type { ShownChunk } from './read-chunks.js';
import classes from './chunks-content.module.css';

interface ChunksContentProps {
  readonly chunks: readonly ShownChunk[];
  readonly value: unknown;
  readonly fileName: string;
}

/** Chunks as cards, each with its place and its size. */
export function ChunksContent({ chunks, value, fileName }: ChunksContentProps): ReactElement {
  const pane = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: chunks.length,
    getScrollElement: () => pane.current,
    estimateSize: () => 220,
    overscan: 4,
  });
  return (
    <>
      <ContentTools
        text={() => JSON.stringify(value, null, 2)}
        fileName={`${fileName}.json`}
        mediaType="application/json"
      >
        <span className="dim small">{plural(chunks.length, 'chunk')}</span>
      </ContentTools>
      <div ref={pane} className={classes.pane} tabIndex={0} role="region" aria-label="Chunks">
        <div className={classes.space} style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, start }) => (
            <div
              key={index}
              ref={rows.measureElement}
              data-index={index}
              className={classes.row}
              style={{ transform: `translateY(${start}px)` }}
            >
              {chunks[index] && <ChunkCard chunk={chunks[index]} index={index} />}
            </div>
          ))}
        </div>
      </div>
    </>
  );
}

function ChunkCard({ chunk, index }: { readonly chunk: ShownChunk; readonly index: number }): ReactElement {
  const { text, start, end, tokens } = chunk;
  const place = describePlace(chunk);
  return (
    <article className={classes.card} aria-label={`Chunk ${index}`}>
      <p className={classes.head}>
        <strong>{index}</strong>
        {place !== '' && <span dir="auto">{place}</span>}
        {start !== null && end !== null && (
          <span className="tabular">
            {formatCount(start)}–{formatCount(end)}
          </span>
        )}
        <span className="tabular">
          {plural(end !== null && start !== null ? end - start : Array.from(text).length, 'character')}
          {tokens !== null && `, ${plural(tokens, 'token')}`}
        </span>
      </p>
      <p className={classes.text} dir="auto">
        {text}
      </p>
    </article>
  );
}
